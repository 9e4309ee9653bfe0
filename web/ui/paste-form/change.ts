import type { PasteChange, WholePaste } from "#contract/pastes";
import { type FilledShare, filledShare, shareChange } from "../share-form/filled.ts";

/** The form for a text share, as its fields hold it. */
export interface Filled extends FilledShare {
  readonly content: string;
}

/** The form before anything was changed. */
export const filledFrom = (paste: WholePaste): Filled => ({ content: paste.content, ...filledShare(paste) });

/** Only what differs travels: an untouched text leaves its ten megabytes at home. */
export function changeOf(filled: Filled, paste: WholePaste): PasteChange {
  const { slug, ...change } = shareChange(filled, paste);
  return {
    ...(filled.content === paste.content ? {} : { content: filled.content }),
    ...change,
    ...(slug === undefined ? {} : { newSlug: slug }),
  };
}
