import { Failure } from "#contract/failures";
import { MAX_OBJECT_BYTES, MAX_VIEWS } from "#contract/limits";
import { isFilename, join, nameOf, slugOfShare } from "#contract/paths";
import { bitsOf } from "../../links/link-values.ts";
import { isMounted } from "../../vfs/entry.ts";
import { LAST_INSTANT, pastInstant, readRow } from "../context.ts";
import type { Note } from "../words.ts";
import type { PingvinContext } from "./context.ts";
import { importedId, type ReverseShareRow, reverseShareRow } from "./rows.ts";
import { freeSlug } from "./shares.ts";

/** Imports reverse shares as links that collect files, each into a folder of its own. */
export async function importReverseShares(context: PingvinContext): Promise<void> {
  const tally = context.report.tally("reverse_shares");
  let number = 0;
  for (const rows of context.table.reverseShares()) {
    for (const value of rows) {
      number += 1;
      const row = readRow(reverseShareRow, { value, number }, tally);
      if (row) await importReverseShare(context, row);
      await context.passed("reverse_shares", tally.counts.rows);
    }
  }
}

async function importReverseShare(context: PingvinContext, row: ReverseShareRow): Promise<void> {
  const { rooms, report, now, isApplied } = context;
  const tally = report.tally("reverse_shares");
  const id = importedId("reverse share", row);
  if (await rooms.links.isKnown(id)) return tally.present();
  // There is no such that never expires: 0 has expired there, too. And one for shares of 0 bytes takes nothing, where a link of 0 has no limit.
  if (row.shareExpiration <= now || row.used || row.remainingUses === 0 || row.maxShareSize === 0)
    return tally.left("share.gone", row.token);
  const notes = new Set<Note>(["reverse.uses", "owner.user"]);
  if (row.sendEmailNotification) notes.add("reverse.mail");
  const slug = await freeSlug(context, slugOfShare(row.token), notes);
  if (!isApplied) return tally.added(row.token, notes);
  // No share has a folder of such a name.
  const folder = await madeFolder(context, join(context.folder, `Reverse share ${isFilename(row.id) ? row.id : id}`));
  const written = await rooms.links.insert({ ...linkOf(row, now), id, slug }, [folder]);
  if (written === undefined) return tally.present();
  tally.added(written === slugOfShare(row.token) ? row.token : `${row.token} -> ${written}`, notes);
}

async function madeFolder({ view }: PingvinContext, path: string) {
  const node = view.at(path);
  await node.mkdir();
  const { location } = await node.stat();
  if (!isMounted(location)) throw new Failure("mount.none");
  return {
    storage: location.mount.storage,
    key: `${location.key}/`,
    mount: location.mount.id,
    name: nameOf(location.path),
  };
}

/** There each use makes a share of so many bytes; here all that is sent shares one limit, and an opening is one use. */
function linkOf({ createdAt, shareExpiration, maxShareSize, remainingUses }: ReverseShareRow, now: number) {
  const uses = Math.min(remainingUses ?? 1, MAX_VIEWS);
  const bytes = maxShareSize ?? 0;
  return {
    ...{ title: null, note: null, password_hash: null, opens: 0 },
    rights: bitsOf(["upload"]),
    expires_at: shareExpiration > LAST_INSTANT ? null : shareExpiration,
    max_opens: uses,
    max_bytes: Math.min(bytes * uses, Number.MAX_SAFE_INTEGER),
    max_file_bytes: Math.min(bytes, MAX_OBJECT_BYTES),
    // What one of them sends was one share.
    sender_folders: 1,
    created_at: pastInstant(createdAt, now),
  };
}
