import type { Clip } from "../model/clipboard.ts";
import type { Entry } from "../model/entry.ts";
import type { Operations } from "../model/operations.ts";
import type { SelectionAct } from "../model/selection.ts";

/** A dialog that a command opens. */
export type DialogRequest =
  | { readonly kind: "folder" }
  /** A new text, to be written. */
  | { readonly kind: "file" }
  /** Pasted text, to be a file. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "rename"; readonly entry: Entry }
  /** Several of the folder on view. */
  | { readonly kind: "renameMany"; readonly entries: readonly Entry[] }
  | { readonly kind: "remove"; readonly entries: readonly Entry[] }
  | { readonly kind: "place"; readonly verb: "copy" | "move"; readonly entries: readonly Entry[] }
  | { readonly kind: "unpack"; readonly entry: Entry }
  | { readonly kind: "share"; readonly entry: Entry }
  | { readonly kind: "link"; readonly entries: readonly Entry[] }
  /** A link by which others send files into a folder. */
  | { readonly kind: "collect"; readonly folder: string }
  | { readonly kind: "shortcuts" }
  | { readonly kind: "details"; readonly entries: readonly Entry[] };

/** What commands do something with. */
export interface CommandActions {
  readonly operations: Operations;
  readonly select: (act: SelectionAct) => void;
  readonly open: (dialog: DialogRequest) => void;
  /** Shows a folder, or a file of the one that is shown. */
  readonly go: (folder: string, preview?: string) => void;
  /** Shows a folder in another tab of the browser. */
  readonly openInTab: (folder: string) => void;
  readonly refresh: () => void;
  readonly download: (entries: readonly Entry[]) => void;
  /** Downloads all that is in the folder on view, as an archive. */
  readonly downloadAll: () => void;
  readonly copyLink: (entry: Entry) => void;
  /** Lets somebody choose files, or a folder, of their device. */
  readonly pick: (what: "files" | "folder") => void;
  /** Keeps entries until they are pasted. */
  readonly hold: (clip: Clip) => void;
  /** Puts entries into the basket. */
  readonly collect: (entries: readonly Entry[]) => void;
  /** Asks for the search, whoever shows it. */
  readonly search: () => void;
  /** Opens the trash. */
  readonly trash: () => void;
}
