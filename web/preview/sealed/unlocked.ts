import { kindOfMedia } from "#contract/file-kinds";
import type { Previewed } from "#contract/shown-as";
import { t } from "../../i18n/i18n.ts";
import { SealedFailure } from "../../sealed/failures.ts";
import type { SealedNames } from "../../sealed/names.ts";
import type { Opening } from "../../sealed/open.ts";

/** What a sealed file turns out to be once its key fits. */
export interface Unlocked {
  readonly names: SealedNames;
  readonly opening: Opening;
  /** Where its sealed bytes are: fetching them again spends nothing. */
  readonly source: string;
}

/** Why a share was not unlocked; `unreachable` is no fault of it. */
export type Problem = SealedFailure["code"] | "unreachable";

export const problemOf = (error: unknown): Problem => (error instanceof SealedFailure ? error.code : "unreachable");

/** What happened, and what to do about it. */
export const sentenceOf = (problem: Problem): string => t(`sealed.failure.${problem}`);

/** What its sealed names say, as the viewers ask for it. */
export const previewedOf = ({ names: { name, type, kind }, opening }: Unlocked): Previewed => ({
  filename: name,
  mimetype: kind === "files" ? "application/zip" : type,
  typeName: kind === "text" ? "text" : kindOfMedia(type),
  size: opening.size,
});
