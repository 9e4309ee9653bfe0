import type { ShareOptions } from "#contract/uploads";
import type { Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import { type Caller, ownerName } from "../access/principal.ts";
import type { Standing } from "../access/standing.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Settings } from "../settings/settings.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { expiryAfter, newExpiry } from "./expiry.ts";
import type { Grants } from "./grants.ts";

/** What file shares depend on. */
export interface FilesRoom {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly grants: Grants;
  readonly limiter: Limiter;
  readonly settings: Settings;
  readonly transfers: Transfers;
  readonly standing: Standing;
}

/** What a new share is before it has a slug and a file. 400 expiry.past. */
export async function draftFor({ clock, passwords, settings }: FilesRoom, caller: Caller, request: ShareOptions) {
  const now = clock();
  return {
    id: Bun.randomUUIDv7(),
    remark: request.remark ?? null,
    expires_at: expiryOf(request, now),
    password_hash: request.password ? await passwords.hash(request.password) : null,
    max_views: request.max_views ?? 0,
    views: 0,
    use_proxy: Number(request.use_proxy ?? settings.get("default_use_proxy")),
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
