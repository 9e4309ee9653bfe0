import { recognise, type TextKind } from "#contract/text/kind";
import { createStore } from "../../../lib/store.ts";
import { appUpdate } from "../../../page/app-update.ts";
import { type DraftStorage, draftStorage } from "../../../page/draft-storage.ts";
import { signingOut } from "../../../ui/session/signing-out.ts";
import { type ShareOptions, startOptions } from "../../../ui/share-options/options.ts";
import { createDraft } from "../editor/draft.ts";
import type { EditorMode } from "../editor/mode.ts";

/** Letters that nobody types at once: they were pasted or imported. Who types letter by letter is not interrupted. */
const PASTED = 8;

interface WritingPorts {
  readonly kept: DraftStorage;
  /** Addresses of pages where leaving asks for confirmation if it would lose the text. */
  readonly window: Pick<Window, "addEventListener" | "removeEventListener">;
}

/** The text being written: it outlives the page within the app (a sign-in, a look at the admin), its draft outlives a reload. */
export function createWriting({ kept, window }: WritingPorts) {
  const text = createStore("");
  /** As nobody has chosen anything yet. */
  let begun = startOptions();
  const options = createStore<ShareOptions>(begun);
  /** What the text was recognised as. It stays while the text is emptied, so that it can be undone where that was done. */
  const kind = createStore<TextKind | undefined>(undefined);
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

  const be = (next: TextKind | undefined) => {
    kind.set(next);
    mode.set(undefined);
  };
  /** Only the beginning of a text is looked at: another editor would take the place of this one, and the steps that it can undo with it. */
  const begin = (next: string) => {
    if (next.trim() !== "") be(next.length < PASTED ? undefined : recognise(next));
  };

  const beginOptions = () => {
    begun = startOptions();
    options.set(begun);
  };
  const startOver = () => {
    draft.clear();
    text.set("");
    beginOptions();
    be(undefined);
    persistFailed.set(false);
  };
  kept.forgotten.subscribe(startOver);

  return {
    text,
    options,
    kind,
    mode,
    persistFailed,
    /** Takes the text of an earlier visit, unless something was written on this one. */
    restore(): void {
      // The administrator may have set another expiry in this tab.
      if (options.get() === begun) beginOptions();
      if (text.get() !== "") return;
      const kept = draft.restore();
      begin(kept);
      text.set(kept);
    },
    write(next: string): void {
      if (text.get().trim() === "") begin(next);
      text.set(next);
      draft.note(next);
    },
    /** Keeps the draft now, as when the page is left. */
    flush: draft.flush,
    /** Call when a text has become a share; later changes stay. */
    shared(sent: string): void {
      if (text.get() === sent) startOver();
      else beginOptions();
    },
    startOver,
  };
}

/** The text being written in this tab. */
export const writing = createWriting({ kept: draftStorage, window });
appUpdate.hold(() => writing.persistFailed.get());
signingOut.watch("draft", () => writing.text.get().trim() !== "" || draftStorage.isThere());
