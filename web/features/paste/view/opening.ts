import { type OpenedPaste, pastes } from "#contract/pastes";
import { call } from "../../../api/call.ts";
import type { ShareSource } from "../../../ui/share-gate/opening.ts";

/** A text share that has been opened. */
export type OpenPaste = OpenedPaste & { readonly content: string };

/** The way to a text share. */
export const pasteSource: ShareSource<OpenedPaste, OpenPaste> = {
  kind: "paste",
  look: (slug, signal) => call(pastes.open, { params: { slug }, query: { peek: "1" }, signal }),
  open: (slug, password) =>
    password ? call(pastes.unlock, { params: { slug }, body: { password } }) : call(pastes.open, { params: { slug } }),
  isOpen: (share): share is OpenPaste => share.content !== undefined,
};
