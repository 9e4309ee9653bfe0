import { GONE_SHARE_KEPT, REQUEST_KEY_LIFE, UPLOAD_LIFE } from "#contract/limits";
import { openAdmin } from "./access/admin.ts";
import { createAudit } from "./access/audit.ts";
import { createBasic } from "./access/basic.ts";
import { createIdentify } from "./access/identify.ts";
import { createKeyCheck } from "./access/key-check.ts";
import { createKeys } from "./access/keys.ts";
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
import { createFiles } from "./shares/files.ts";
import { createGrants } from "./shares/grants.ts";
import { createPastes } from "./shares/pastes.ts";
import { createDoctor } from "./stores/doctor.ts";
import { openStores } from "./stores/stores.ts";
import { createCaches } from "./system/caches.ts";
import { createHealth } from "./system/health.ts";
import { createSweeper } from "./system/sweeper.ts";
import { createChanges } from "./transfers/changes.ts";
import { createTransfers } from "./transfers/transfers.ts";
import { openVfs } from "./vfs/vfs.ts";

/** What the house is built on. */
export interface Ground {
  readonly db: Database;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the built-in store keeps its files. */
  readonly objects: string;
  /** Whether this process holds the data folder: then it may bring tables up to date and clear what a crash left. */
  readonly alone: boolean;
}

/** Builds every room once, top to bottom. Throws when the database is newer than this Satchel or was made with another secret. */
export async function openHouse({ db, secret, clock, log, objects, alone }: Ground) {
  const schema = await migrate(db, alone);
  await checkSecret(db, secret);
  const settings = await openSettings({ db, clock, schema });

  const limiter = createLimiter(clock);
  const sessions = createSessions({ db, clock, tokens: createTokens(secret, clock) });
  const audit = createAudit({ db, clock, log });
  const admin = await openAdmin({ db, clock, passwords: accountPasswords(), sessions, limiter, audit });
  const keys = createKeys({ db, clock, log, secret });
  const checkKey = createKeyCheck({ keys, limiter });
  const identify = createIdentify({ sessions, checkKey, basic: createBasic({ admin, checkKey, clock, secret }) });

  const stores = await openStores({ db, clock, log, secret, folder: objects, alone });
  const changes = createChanges();
  const transfers = createTransfers({ db, clock, stores, settings, changes });

  const vfs = await openVfs({ db, clock, log, secret, stores, settings, transfers, changes, callerOf: keys.callerOf });

  const grants = createGrants(secret);
  const passwords = sharePasswords(secret);
  const pastes = createPastes({ db, clock, log, passwords, grants, limiter });
  const files = createFiles({ db, clock, log, passwords, grants, limiter, settings, transfers });

  changes.add(files);

  const caches = createCaches({ caches: [pastes.cache, ...files.caches, keys.cache, ...vfs.caches], clock });
  const sweeper = createSweeper(
    [
      { name: "texts", sweep: () => pastes.sweep(GONE_SHARE_KEPT) },
      { name: "files", sweep: (silent) => files.sweep(GONE_SHARE_KEPT, silent) },
      { name: "abandoned uploads", sweep: (silent) => files.sweepAbandoned(UPLOAD_LIFE, silent) },
      { name: "uploads", sweep: (silent) => transfers.sweep(clock() - UPLOAD_LIFE, silent) },
      { name: "request keys of texts", sweep: () => pastes.forgetRequestKeys(REQUEST_KEY_LIFE) },
      { name: "request keys of files", sweep: () => files.forgetRequestKeys(REQUEST_KEY_LIFE) },
      { name: "search index", sweep: vfs.sweepIndex },
      { name: "jobs", sweep: vfs.jobs.sweep },
      { name: "sessions", sweep: sessions.sweep },
      { name: "sign-in links", sweep: admin.sweep },
      { name: "audit log", sweep: audit.sweep },
      { name: "free pages", sweep: db.shrink },
    ],
    log,
  );

  return {
    access: { admin, sessions, keys, identify, limiter, audit },
    shares: { pastes, files, grants },
    stores: { configs: stores.configs, doctor: createDoctor({ stores, clock, log }) },
    transfers,
    vfs,
    settings,
    system: { health: createHealth({ db, clock }), caches, sweeper },
    clock,
    log,
    /** Writes what rooms still hold in memory. */
    async close() {
      sweeper.stop();
      await vfs.close();
      await Promise.all([pastes.close(), files.close(), keys.close(), stores.close()]);
      log.flush();
    },
  };
}

export type House = Awaited<ReturnType<typeof openHouse>>;
