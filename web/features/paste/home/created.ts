import type { CreatedPaste } from "#contract/pastes";
import { pasteLink, rawLink } from "../../../api/share-addresses.ts";

/** The link that has come of a text. */
export interface Created {
  readonly slug: string;
  readonly link: string;
  /** Where the bare text is; undefined of one that is sealed. */
  readonly raw: string | undefined;
  /** What should be known before the links are handed on. */
  readonly note: "rawGrant" | "sealedKey" | "sealedPassword" | undefined;
  readonly copied: boolean;
}

export const createdFrom = ({ slug, grant, hasPassword }: CreatedPaste, copied: boolean): Created => ({
  slug,
  link: pasteLink(slug),
  raw: rawLink(slug, grant),
  note: hasPassword ? "rawGrant" : undefined,
  copied,
});
