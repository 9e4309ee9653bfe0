import type { UploadItem, Uploads } from "../uploads.ts";

/** Calls back after rows have changed state, with those rows and with all. Returns a function that unsubscribes. */
export function watchStates(
  uploads: Uploads,
  onChange: (changed: readonly UploadItem[], all: readonly UploadItem[]) => void,
): () => void {
  let before: ReadonlyMap<string, UploadItem["state"]> = new Map();
  return uploads.items.subscribe(() => {
    const items = uploads.items.get();
    const changed = items.filter(({ id, state }) => before.get(id) !== state);
    if (changed.length === 0 && items.length === before.size) return;
    before = new Map(items.map(({ id, state }) => [id, state]));
    onChange(changed, items);
  });
}

/** Has the browser ask before the page is left, as long as that would interrupt an upload. */
export function askBeforeLeaving(
  uploads: Uploads,
  window: Pick<Window, "addEventListener" | "removeEventListener">,
): void {
  const stay = (event: BeforeUnloadEvent) => event.preventDefault();
  uploads.items.subscribe(() => {
    if (uploads.isBusy()) window.addEventListener("beforeunload", stay);
    else window.removeEventListener("beforeunload", stay);
  });
}
