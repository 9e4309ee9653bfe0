import { Failure } from "#contract/failures";

/** The part of a share that the gate reads. */
export interface Gated {
  readonly id: string;
  readonly slug: string;
  /** Of a file. */
  readonly filename?: string;
  /** Bytes. */
  readonly size: number;
  readonly password_hash: string | null;
  readonly expires_at: number | null;
  readonly max_views: number;
  readonly views: number;
  readonly version: number;
  readonly created_by: string;
  /** Of a file: 1 until it has arrived. */
  readonly pending?: number;
}

/** Reports whether the time of a share is over. */
export const isExpired = ({ expires_at }: Gated, now: number): boolean => expires_at !== null && expires_at <= now;

/** Reports whether a share can no longer be opened. */
export const isGone = (share: Gated, now: number): boolean =>
  isExpired(share, now) || (share.max_views > 0 && share.views >= share.max_views);

/** Reports whether a share asks for nothing: no password, and no view that somebody would have to decide to spend. */
export const isFree = ({ password_hash, max_views }: Gated): boolean => password_hash === null && max_views === 0;

/** Reports whether anybody may open a share as often as they like. */
export const opensFreely = (share: Gated, now: number): boolean => isFree(share) && !isGone(share, now);

/** Reports whether the file of a share is on its way. */
export const isUploading = ({ pending = 0 }: Pick<Gated, "pending">): boolean => pending === 1;

/** Seconds after which whoever asked for a file that is on its way may ask again. */
const ASK_AGAIN = 5;

/** 503 share.uploading: of the answers that tell to wait, programs repeat a request only after this one. */
export function requireArrived(share: Gated): void {
  if (isUploading(share)) throw notArrived();
}

/** What a share answers whose file is on its way. 503. */
export const notArrived = (): Failure => new Failure("share.uploading", { seconds: ASK_AGAIN });
