import { join } from "#contract/paths";
import type { ImportContext, OpenedSource, Rooms } from "../context.ts";
import type { TableReason } from "../words.ts";
import { OWNER } from "./context.ts";
import { databaseAt, openCopy, sharedFilesBeside } from "./folder.ts";
import { hasShares, type PingvinTableName, pingvinIndexes, pingvinTable, pingvinTablesLeft } from "./pingvin-table.ts";
import { importReverseShares } from "./reverse-shares.ts";
import { importShares } from "./shares.ts";

/** The folder below a mount into which files go. */
const FOLDER = "Pingvin Share";

/** Why nothing is imported of a table. */
const left: Readonly<Record<PingvinTableName, TableReason>> = {
  User: "account",
  RefreshToken: "account",
  LoginToken: "account",
  ResetPasswordToken: "account",
  OAuthUser: "account",
  ShareRecipient: "recipients",
  ShareUserRecipient: "recipients",
  ShareAccessLog: "log",
  Config: "config",
};

/** Opens the data folder of Pingvin Share, or its database there. Throws a sentence for the operator. */
export async function openPingvin(path: string, transfers: Rooms["transfers"]): Promise<OpenedSource> {
  const database = await databaseAt(path);
  const copied = await openCopy(database, transfers);
  try {
    if (!hasShares(copied.file)) throw new Error(`The database ${database} has no tables of Pingvin Share.`);
    copied.file.index(pingvinIndexes);
    const table = pingvinTable(copied.file);
    return {
      heading: { source: "pingvin", madeAt: undefined, schema: undefined, checksum: null },
      kinds: ["shares", "files", "reverse_shares"],
      async run(context) {
        const view = await context.rooms.tree.as(OWNER, "mount");
        // A name that leads nowhere would leave everything out that is in the bucket.
        if (context.bucket !== undefined) await view.at(context.bucket).stat();
        const own = { ...context, table, find: sharedFilesBeside(database), view, folder: await folderFor(context) };
        await importShares(own);
        await importReverseShares(own);
        for (const name of pingvinTablesLeft) {
          const rows = table.countOf(name);
          if (rows > 0) context.report.leaveTable(name, rows, left[name]);
        }
      },
      close: async () => await copied[Symbol.asyncDispose](),
    };
  } catch (error) {
    await copied[Symbol.asyncDispose]();
    throw error;
  }
}

/** Where files go: below the first mount, one of the default storage if there is such. Throws a sentence for the operator. */
async function folderFor({ rooms }: ImportContext): Promise<string> {
  const mounts = (await rooms.mounts.list()).filter(({ is_active }) => is_active === 1);
  const defaults = (await rooms.configs.list()).filter(({ is_default }) => is_default).map(({ id }) => id);
  const mount = mounts.find(({ storage }) => defaults.includes(storage)) ?? mounts[0];
  if (!mount) throw new Error("There is no mount into which files could be copied: make one in the admin area.");
  return join(mount.path, FOLDER);
}
