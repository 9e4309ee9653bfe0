import { appUpdate } from "../../../lib/app-update.ts";
import { type DraftStorage, draftStorage } from "../../../lib/draft-storage.ts";
import { createStore } from "../../../lib/store.ts";
import { noOptions, type ShareOptions } from "../../../ui/share-options/options.ts";
import { signingOut } from "../../../ui/signing-out.ts";
import { createDraft } from "../editor/draft.ts";
import type { EditorMode } from "../editor/mode.ts";

interface WritingPorts {
  readonly kept: DraftStorage;
  /** Addresses of pages where leaving asks for confirmation if it would lose the text. */
  readonly window: Pick<Window, "addEventListener" | "removeEventListener">;
}

/** The text being written: it outlives the page within the app (a sign-in, a look at the admin), its draft outlives a reload. */
export function createWriting({ kept, window }: WritingPorts) {
  const text = createStore("");
  const options = createStore<ShareOptions>(noOptions);
  /** What the person has chosen for this text, where it was recognised. */
  const mode = createStore<EditorMode | undefined>(undefined);
  /** The text is too large for the browser's storage. */
  const persistFailed = createStore(false);
  const draft = createDraft({ kept, onKept: (done) => persistFailed.set(!done) });

  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  persistFailed.subscribe(() => {
    if (persistFailed.get()) window.addEventListener("beforeunload", warn);
    else window.removeEventListener("beforeunload", warn);
  });

  const startOver = () => {
    draft.clear();
    text.set("");
    options.set(noOptions);
    mode.set(undefined);
    persistFailed.set(false);
  };
  kept.forgotten.subscribe(startOver);

  return {
    text,
    options,
    mode,
    persistFailed,
    /** Takes the text of an earlier visit, unless something was written on this one. */
    restore(): void {
      if (text.get() === "") text.set(draft.restore());
    },
    write(next: string): void {
      text.set(next);
      draft.note(next);
    },
    /** Keeps the draft now, as when the page is left. */
    flush: draft.flush,
    /** Call when a text has become a share; later changes stay. */
    shared(sent: string): void {
      if (text.get() === sent) startOver();
      else options.set(noOptions);
    },
    startOver,
  };
}

/** The text being written in this tab. */
export const writing = createWriting({ kept: draftStorage, window });
appUpdate.hold(() => writing.persistFailed.get());
signingOut.watch("draft", () => writing.text.get().trim() !== "" || draftStorage.isThere());
