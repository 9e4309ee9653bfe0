import type { EventItem } from "#contract/webhooks";
import { openAdmin } from "../access/admin.ts";
import { createAudit } from "../access/audit.ts";
import { createBasic } from "../access/basic.ts";
import { createCallers } from "../access/callers.ts";
import { createIdentify } from "../access/identify.ts";
import { createKeyCheck, createKeyGuesses } from "../access/key-check.ts";
import { createKeys } from "../access/keys.ts";
import { createKnownAddresses } from "../access/known-addresses.ts";
import { createCounter, createLimiter } from "../access/limiter.ts";
import { accountPasswords, sharePasswords } from "../access/passwords.ts";
import { createSessions, createTokens } from "../access/sessions.ts";
import { createSharedCounter } from "../access/shared-counter.ts";
import { createSignedIdentify } from "../access/signed-requests.ts";
import type { Sql } from "../database/sql.ts";
import { createLinks } from "../links/links.ts";
import { createShareLimits } from "../shares/share-limits.ts";
import type { Base } from "./base.ts";

/** Who calls, and what they may do. */
export async function openAccess({ dependencies, activity, cluster, settings, events, steady }: Base) {
  const { secret, clock, log } = dependencies;
  const { db, synced } = cluster;
  const counting = cluster.shared && createSharedCounter({ cluster, clock: steady });
  const signedIn = (address: string, when: Sql) => events.told({ type: "sign_in.new", item: { address } }, when);
  const known = createKnownAddresses({ cluster, clock: steady, log, signedIn });
  const limiter = createLimiter(counting || createCounter(steady), known);
  const sessions = createSessions({ db, clock, tokens: createTokens(secret, clock) });
  const audit = createAudit({ db, reading: cluster.reading, clock, log });
  const admin = await openAdmin({ db, clock, passwords: accountPasswords(), sessions, limiter, audit });
  const keys = createKeys({ db, clock, log, secret, cluster });
  const guesses = createKeyGuesses({ limiter, secret });
  const checkKey = createKeyCheck({ keys, guesses });
  const passwords = sharePasswords(secret);
  const told = {
    arrived: (item: EventItem<"file.arrived">) => events.tell({ type: "file.arrived", item }),
    closed: (item: EventItem<"link.closed">) => events.told({ type: "link.closed", item }),
  };
  const limits = createShareLimits({ cluster, clock, settings, visitors: keys.visitors });
  const { callerOf } = keys;
  const links = createLinks({ cluster, clock, secret, passwords, limits, limiter, callerOf, told, activity });
  const identify = createIdentify({
    sessions,
    checkKey,
    basic: createBasic({ admin, checkKey, links: links.basic, synced, clock: steady, secret }),
    callerByGrant: links.callerByGrant,
    synced,
  });
  const identifySigned = createSignedIdentify({ keys, links: links.signers, guesses, clock, synced });
  const callers = createCallers({ sessions, admin, keys, links, synced });

  return {
    counting,
    known,
    limiter,
    sessions,
    audit,
    admin,
    keys,
    links,
    passwords,
    limits,
    identify,
    identifySigned,
    callers,
  };
}

export type Access = Awaited<ReturnType<typeof openAccess>>;
