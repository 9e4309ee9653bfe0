import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { viewLimit } from "../share-options/share-problems.ts";

/** What the owner's copy of a share says about how it lives, whatever stands behind its link. */
export interface LivingShare {
  readonly slug: string;
  readonly remark: string | null;
  readonly has_password: boolean;
  /** Whether only who has its link or password can read it: both are in the file, which cannot be changed here. */
  readonly sealed?: boolean;
  readonly expires_at: string | null;
  readonly max_views: number;
  readonly views: number;
}

/** What the forms of all shares have in common, as their fields hold it. */
export interface ShareValues {
  readonly remark: string;
  readonly slug: string;
  /** The value of a datetime-local field, in local time (`2026-11-22T10:15`); empty is never. */
  readonly expiry: string;
  readonly views: string;
  readonly password: string;
  readonly clearPassword: boolean;
  readonly resetViews: boolean;
}

/** The fields before anything was changed. */
export const shareValues = (share: LivingShare): ShareValues => ({
  remark: share.remark ?? "",
  slug: share.slug,
  expiry: toLocalInput(share.expires_at),
  views: String(share.max_views),
  password: "",
  clearPassword: false,
  resetViews: false,
});

/** How a share shall live from now on; what is not there stays as it is. */
interface ShareChange {
  /** null asks for a new random one. */
  readonly slug?: string | null;
  readonly remark?: string | null;
  readonly expiresAt?: string | null;
  readonly maxViews?: number;
  readonly password?: string;
  readonly clearPassword?: true;
  readonly resetViews?: true;
}

/** Only what differs: an untouched expiry keeps its seconds. */
export function shareChange(values: ShareValues, share: LivingShare): ShareChange {
  const before = shareValues(share);
  const slug = values.slug.trim();
  const remark = values.remark.trim() || null;
  const expiresAt = values.expiry === before.expiry ? undefined : fromLocalInput(values.expiry);
  const maxViews = viewLimit(values.views);
  return {
    ...(values.remark === before.remark || remark === share.remark ? {} : { remark }),
    ...(slug === share.slug ? {} : { slug: slug || null }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(maxViews === undefined || maxViews === share.max_views ? {} : { maxViews }),
    ...(values.password && !values.clearPassword ? { password: values.password } : {}),
    ...(values.clearPassword ? { clearPassword: true } : {}),
    ...(values.resetViews ? { resetViews: true } : {}),
  };
}
