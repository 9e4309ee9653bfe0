import { GONE_SHARE_KEPT, REQUEST_KEY_LIFE } from "#contract/limits";
import { createAdmin } from "./access/admin.ts";
import { createIdentify } from "./access/identify.ts";
import { createLimiter } from "./access/limiter.ts";
import { accountPasswords, sharePasswords } from "./access/passwords.ts";
import { createSessions } from "./access/sessions.ts";
import { createTokens } from "./access/tokens.ts";
import type { Database } from "./database/database.ts";
import { migrate } from "./database/migrate.ts";
import { checkSecret } from "./database/secret-check.ts";
import type { Clock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import { openSettings } from "./settings/settings.ts";
import { createGrants } from "./shares/grants.ts";
import { createPastes } from "./shares/pastes.ts";
import { createHealth } from "./system/health.ts";
import { createSweeper } from "./system/sweeper.ts";

/** What the house is built on. */
export interface Ground {
  readonly db: Database;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether tables of an older Satchel may be brought up to date. */
  readonly mayMigrate: boolean;
}

/** Builds every room once, top to bottom. Throws when the database is newer than this Satchel or was made with another secret. */
export async function openHouse({ db, secret, clock, log, mayMigrate }: Ground) {
  await migrate(db, mayMigrate);
  await checkSecret(db, secret);
  const settings = await openSettings({ db, clock });

  const limiter = createLimiter(clock);
  const sessions = createSessions({ db, clock, tokens: createTokens(secret, clock) });
  const admin = createAdmin({ db, clock, passwords: accountPasswords(), sessions, limiter });
  const identify = createIdentify({ sessions });

  const grants = createGrants(secret);
  const pastes = createPastes({ db, clock, log, passwords: sharePasswords(secret), grants, limiter });

  const sweeper = createSweeper(
    [
      { name: "texts", sweep: () => pastes.sweep(GONE_SHARE_KEPT) },
      { name: "request keys", sweep: () => pastes.forgetRequestKeys(REQUEST_KEY_LIFE) },
      { name: "sessions", sweep: sessions.sweep },
      { name: "sign-in links", sweep: admin.sweep },
      { name: "free pages", sweep: db.shrink },
    ],
    log,
  );

  return {
    access: { admin, sessions, identify, limiter },
    shares: { pastes, grants },
    settings,
    system: { health: createHealth({ db, clock }), sweeper },
    clock,
    log,
    /** Writes what rooms still hold in memory. */
    async close() {
      sweeper.stop();
      await pastes.close();
      log.flush();
    },
  };
}

export type House = Awaited<ReturnType<typeof openHouse>>;
