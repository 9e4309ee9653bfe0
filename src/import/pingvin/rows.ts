import { createHash } from "node:crypto";
import { MAX_OBJECT_BYTES } from "#contract/limits";
import * as z from "#contract/schemas";
import { count, flag, instant, optional } from "../fields.ts";

/** The rows of Pingvin Share's tables, of all versions and of its fork Pingvin Share X. What is not named here is not read. */

/** Characters of a text of which no rule of ours says how long it may be. */
const SHORT = 10_000;

/** It is a part of a path and of an address. */
const id = z.string().check(z.refine((text) => /^[\w-]{1,128}$/.test(text)));
const short = z.string().check(z.maxLength(SHORT));
/** Milliseconds, or of newer versions a text. */
const time = z.union([z.int(), instant]);

export const shareRow = z.object({
  id,
  createdAt: optional(time),
  name: optional(short),
  uploadLocked: flag,
  views: optional(count),
  expiration: time,
  description: optional(short),
  /** Why a scanner has removed its files. */
  removedReason: optional(short),
  creatorId: optional(short),
  reverseShareId: optional(short),
  storageProvider: optional(short),
  /** Where its files are below `uploads`, when that is not `shares/ID`. */
  storagePath: optional(short),
  blockedAt: optional(time),
});

export const fileRow = z.object({
  id,
  name: short,
  size: count.check(z.maximum(MAX_OBJECT_BYTES)),
  /** What it is called in the folder of its share, when that is not its id. */
  storageName: optional(short),
});

export const securityRow = z.object({
  password: optional(short),
  maxViews: optional(count),
  /** Whether only users who are named may open it. */
  restrictToRecipients: flag,
});

export const reverseShareRow = z.object({
  id,
  createdAt: optional(time),
  token: z.string().check(z.minLength(1), z.maxLength(128)),
  shareExpiration: time,
  maxShareSize: optional(count),
  remainingUses: optional(count),
  /** In place of how often, in early versions. */
  used: flag,
  sendEmailNotification: flag,
});

/** Of a reverse share only whether anybody may open what came by it: older versions say nothing, and meant everybody. */
export const publicAccessRow = z.object({ publicAccess: optional(flag) });

export type ShareRow = z.output<typeof shareRow>;
export type FileRow = z.output<typeof fileRow>;
export type ReverseShareRow = z.output<typeof reverseShareRow>;

/** Whether the files of a share are in a bucket, and not in the folder of uploads. */
export const isInBucket = ({ storageProvider }: ShareRow): boolean =>
  storageProvider !== null && storageProvider.toUpperCase() !== "LOCAL";

/**
 * The id that a link has here, so that another import finds it again. Links are listed by their ids, so it begins with the time at which it was made there
 * (RFC 9562 section 5.7).
 */
export function importedId(
  kind: "share" | "reverse share",
  { id: own, createdAt }: Pick<ShareRow, "id" | "createdAt">,
): string {
  const time = Math.min(Math.max(createdAt ?? 0, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, "0");
  const digits = createHash("sha256").update(`pingvin ${kind} ${own}`).digest("hex");
  return (time + digits).replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, "$1-$2-7$3-8$4-$5");
}
