import { version } from "../../../package.json";
import { callerOf } from "../../api/session/caller.ts";
import { session } from "../../api/session/session.ts";
import { i18n, t } from "../../i18n/i18n.ts";
import { browserStorage, tabStorage } from "../../lib/storage.ts";
import { openDatabase } from "../../offline/database.ts";
import { forgetAll, type Offline, type ShownChange } from "../../offline/offline.ts";
import { forgetTransfers } from "../../offline/transfers.ts";
import { BASKET, UNDO } from "../../page/personal-items.ts";
import { signingOut } from "../../ui/session/signing-out.ts";
import { toast } from "../../ui/toast/toast.ts";

/**
 * What the server answered to a person goes when they sign out or somebody else signs in. Changes that wait go at the sign-out alone, which asks
 * first; otherwise they wait until who made them is here again.
 */
export function followSession(offline: Offline): void {
  let present = callerOf(session.state.get());
  // What cannot be noted is not recalled, and the page sends what waits itself.
  const attend = () => void offline.attend().catch(() => undefined);
  // The worker asks in the language of the moment, too.
  i18n.language.subscribe(attend);
  session.state.subscribe(() => {
    const before = present;
    present = callerOf(session.state.get());
    const leaves = before !== undefined && present === undefined && session.reason.get() === "loggedOut";
    if (leaves) void forgetPerson(offline, before);
    else attend();
  });
  signingOut.watch("changes", () => offline.changes.get().some(wouldGo));
}

/** Forgets what the last sign-out left. Where that fails, the next page tries again. */
export async function forgetUnnoticed(offline: Offline): Promise<void> {
  await Promise.allSettled([offline.leaveUnnoticed(), forgetItems()]);
}

/** Forgets what features have kept for who was signed in. */
async function forgetItems(): Promise<void> {
  browserStorage.remove(BASKET);
  tabStorage.remove(UNDO);
  await forgetTransfers();
}

/** Forgets what belongs to somebody who leaves; says so where it is still there. */
async function forgetPerson(offline: Offline, person: string): Promise<void> {
  try {
    // A newer version in another tab may have taken the database from this page.
    const items = forgetItems();
    await offline.leave(person).catch(() => forgetAnew(person));
    await items;
  } catch {
    void toast({ tone: "error", text: t("offline.unforgotten") });
  }
}

async function forgetAnew(person: string): Promise<void> {
  const database = await openDatabase(version);
  await forgetAll(database, person);
  database.close();
}

/** Reports whether a sign-out would lose a change: those of visitors and of other people stay, and what was sent is safe. */
const wouldGo = ({ person, status }: ShownChange): boolean =>
  status === "foreign" || (person !== undefined && status !== "sent");
