import { folderSegments } from "#contract/paths";
import { type Refusal, refusalAt } from "../../../api/refusals.ts";
import type { UploadOptions } from "../../../transfer/uploads.ts";
import { optionProblem, type ShareOptions, startOptions } from "../../../ui/share-options/options.ts";
import { uploadOptionsOf } from "../../../ui/share-options/upload-options.ts";

/** Where the files go. */
export interface Place {
  /** undefined is the default storage. */
  readonly storageId: string | undefined;
  readonly folder: string;
}

/** Every chip of the page. */
export type ChipName = keyof ShareOptions | keyof Place;

export const noPlace: Place = { storageId: undefined, folder: "" };

const refusable = ["slug", "expiry", "folder", "storageId"] as const;

/** A refusal that another choice and another try can mend. */
export type ChipRefusal = Refusal<(typeof refusable)[number]>;

/** The chip that a failure is about, and what it says there. */
export const chipRefusal = (failure: unknown): ChipRefusal | undefined => refusalAt(failure, refusable);

/** The chip that holds something which cannot be sent. */
export const wrongChip = (
  options: ShareOptions,
  { folder }: Place,
  now: number,
  sealed = false,
): ChipName | undefined =>
  optionProblem(options, now, sealed)?.field ?? (folderSegments(folder) ? undefined : "folder");

/** Whether nobody has chosen anything. */
const isUnchosen = (options: ShareOptions, { storageId, folder }: Place): boolean =>
  storageId === noPlace.storageId && folder.trim() === noPlace.folder && asked(options) === asked(startOptions());

/** Options that ask for the same are the same, however they were typed. */
const asked = (options: ShareOptions): string => JSON.stringify(uploadOptionsOf(options, 0, false));

/** What the chips ask for, as the upload machine takes it; `now` in epoch milliseconds. */
export function placedOptions(
  options: ShareOptions,
  { storageId, folder }: Place,
  now: number,
  sealed = false,
): UploadOptions {
  return {
    ...uploadOptionsOf(options, now, sealed),
    path: folder.trim(),
    asBegun: isUnchosen(options, { storageId, folder }),
    ...(storageId === undefined ? {} : { storageId }),
  };
}
