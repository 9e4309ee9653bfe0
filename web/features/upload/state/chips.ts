import { folderSegments } from "#contract/paths";
import { type Refusal, refusalAt } from "../../../api/refusals.ts";
import type { UploadOptions } from "../../../transfer/uploads.ts";
import { expiresAt, optionProblem, type ShareOptions } from "../../../ui/share-options/options.ts";
import { viewLimit } from "../../../ui/share-problems.ts";

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
export const wrongChip = (options: ShareOptions, { folder }: Place, now: number): ChipName | undefined =>
  optionProblem(options, now)?.field ?? (folderSegments(folder) ? undefined : "folder");

/** What the chips ask for, as the upload machine takes it; `now` in epoch milliseconds. */
export function uploadOptionsOf(options: ShareOptions, { storageId, folder }: Place, now: number): UploadOptions {
  return {
    slug: options.slug,
    password: options.password,
    remark: options.remark.trim(),
    maxViews: viewLimit(options.maxViews) ?? 0,
    expiresAt: expiresAt(options.expiry, now),
    ...(options.expiry.kind === "after" ? { expiryChoice: `${options.expiry.hours} hours` } : {}),
    path: folder.trim(),
    ...(storageId === undefined ? {} : { storageId }),
  };
}
