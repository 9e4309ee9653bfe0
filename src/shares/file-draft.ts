import type { ShareOptions } from "#contract/uploads";
import { type Caller, ownerName } from "../access/principal.ts";
import { expiryAfter, newExpiry } from "./expiry.ts";
import type { FilesRoom } from "./files.ts";

/** What a new share is before it has a slug and a file. 400 expiry.past. */
export async function draftFor({ clock, passwords, settings }: FilesRoom, caller: Caller, wish: ShareOptions) {
  const now = clock();
  return {
    id: Bun.randomUUIDv7(),
    remark: wish.remark ?? null,
    expires_at: expiryOf(wish, now),
    password_hash: wish.password ? await passwords.hash(wish.password) : null,
    max_views: wish.max_views ?? 0,
    views: 0,
    use_proxy: Number(wish.use_proxy ?? settings.get("default_use_proxy")),
    version: 1,
    created_by: ownerName(caller),
    created_at: now,
    updated_at: now,
    file_gone_at: null,
  };
}

function expiryOf({ expires_at, expires_in }: ShareOptions, now: number): number | null {
  if (expires_at != null) return newExpiry(expires_at, now);
  return expiryAfter(expires_in ?? 0, now);
}
