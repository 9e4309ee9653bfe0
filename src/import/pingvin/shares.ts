import { MAX_LINK_NOTE_CHARACTERS, MAX_LINK_TITLE_CHARACTERS, MAX_VIEWS } from "#contract/limits";
import { slugOfShare, slugProblem } from "#contract/paths";
import { keptForeignHash } from "../../access/foreign-hashes.ts";
import { bitsOf, spokenText } from "../../links/link-values.ts";
import { randomSlug } from "../../shares/new-share.ts";
import { LAST_INSTANT, pastInstant, readRow } from "../context.ts";
import type { Note, Reason } from "../words.ts";
import type { PingvinContext } from "./context.ts";
import { type TakenFiles, takeFiles } from "./files.ts";
import { importedId, isInBucket, publicAccessRow, type ShareRow, securityRow, shareRow } from "./rows.ts";

/** What a share asks of whoever opens it. */
interface Security {
  readonly password: string | null;
  readonly maxViews: number;
  /** Whether only its owner, or users who are named, may open it. */
  readonly isPrivate: boolean;
}

/** Imports shares with their files, each as one link. One that is here already, by its id, stays as it is. */
export async function importShares(context: PingvinContext): Promise<void> {
  const { table, report } = context;
  const [shares, files] = [report.tally("shares"), report.tally("files")];
  let number = 0;
  for (const rows of table.shares()) {
    for (const value of rows) {
      number += 1;
      const row = readRow(shareRow, { value, number }, shares);
      if (row) await importShare(context, row);
      await context.passed("shares", shares.counts.rows);
    }
  }
  const others = table.countFiles() - files.counts.rows;
  if (others > 0) files.leftRows("file.share", others);
}

async function importShare(context: PingvinContext, row: ShareRow): Promise<void> {
  const { table, report, rooms } = context;
  const tally = report.tally("shares");
  const id = importedId("share", row);
  if (await rooms.links.isKnown(id)) {
    tally.present();
    report.tally("files").presentRows(table.countFiles(row.id));
    return;
  }
  const security = securityOf(context, row);
  const reason = problemOf(context, row, security);
  if (reason) return tally.left(reason, row.id);
  const taken = await takeFiles(context, row);
  if (taken.items.length === 0) return tally.left("share.empty", row.id);
  const notes = notesOf(row, taken);
  const slug = await freeSlug(context, slugOfShare(row.id), notes);
  const link = { ...linkOf(context, row, notes), ...(await openingOf(context, security, notes)), id, slug };
  const written = context.isApplied ? await rooms.links.insert(link, taken.items) : slug;
  if (written === undefined) return tally.present();
  const isKept = written === slugOfShare(row.id);
  tally.added(isKept || !context.isApplied ? row.id : `${row.id} -> ${written}`, notes);
}

/** Nobody reads what cannot be read as if it asked for nothing: then the share is private. */
function securityOf({ table }: PingvinContext, { id, reverseShareId }: ShareRow): Security {
  const found = table.security(id);
  const read = found && securityRow.safeParse(found);
  const by = reverseShareId === null ? undefined : table.reverseShare(reverseShareId);
  const access = by && publicAccessRow.safeParse(by);
  const isOpen = access === undefined || (access.success && access.data.publicAccess !== false);
  if (!read) return { password: null, maxViews: 0, isPrivate: !isOpen };
  if (!read.success) return { password: null, maxViews: 0, isPrivate: true };
  const { password, maxViews, restrictToRecipients } = read.data;
  return { password, maxViews: maxViews ?? 0, isPrivate: restrictToRecipients || !isOpen };
}

/** Why a share is left out. */
function problemOf(
  { now, privateTexts, bucket }: PingvinContext,
  row: ShareRow,
  { maxViews, isPrivate }: Security,
): Reason | undefined {
  const { expiration, views, uploadLocked, removedReason, blockedAt } = row;
  const isExpired = expiration !== 0 && expiration <= now;
  if (isExpired || (maxViews > 0 && (views ?? 0) >= maxViews)) return "share.gone";
  if (!uploadLocked) return "share.unfinished";
  if (removedReason !== null || blockedAt !== null) return "share.removed";
  if (isPrivate && privateTexts === "skip") return "share.private";
  return isInBucket(row) && bucket === undefined ? "share.bucket" : undefined;
}

/** What of a share is different here, for all to read. */
function notesOf({ creatorId }: ShareRow, { hasAll, isFolder }: TakenFiles): Set<Note> {
  const notes = new Set<Note>();
  if (creatorId !== null) notes.add("owner.user");
  if (!hasAll) notes.add("share.incomplete");
  if (isFolder) notes.add("share.folder");
  return notes;
}

/** A slug that can be used here: the one that is wanted if nobody has it, else a new one. */
export async function freeSlug({ rooms }: PingvinContext, wanted: string, notes: Set<Note>): Promise<string> {
  if (!slugProblem(wanted) && (await rooms.links.slugIsFree(wanted))) return wanted;
  notes.add("slug.replaced");
  return randomSlug();
}

/** What a link says of a share, but for who may open it. */
function linkOf({ now }: PingvinContext, row: ShareRow, notes: Set<Note>) {
  const { name, description, expiration, views } = row;
  return {
    title: name === null ? null : cut(spokenText(name, "line"), MAX_LINK_TITLE_CHARACTERS, "title.cut", notes) || null,
    note: description === null ? null : cut(description, MAX_LINK_NOTE_CHARACTERS, "note.cut", notes),
    rights: bitsOf(["view", "download"]),
    expires_at: expiration === 0 || expiration > LAST_INSTANT ? null : expiration,
    opens: Math.min(views ?? 0, MAX_VIEWS),
    created_at: pastInstant(row.createdAt, now),
    ...{ max_bytes: 0, max_file_bytes: 0, sender_folders: 0 },
  };
}

function cut(text: string, most: number, note: Note, notes: Set<Note>): string {
  if (text.length <= most) return text;
  notes.add(note);
  return text.slice(0, most).toWellFormed();
}

/** Who may open a link, and how often: the hash of a password is taken along, because nobody knows the password. */
async function openingOf(
  { passwords, isApplied }: PingvinContext,
  { password, maxViews, isPrivate }: Security,
  notes: Set<Note>,
): Promise<{ readonly password_hash: string | null; readonly max_opens: number }> {
  if (maxViews > MAX_VIEWS) notes.add("views.limit");
  const max_opens = Math.min(maxViews, MAX_VIEWS);
  if (password === null && !isPrivate) return { password_hash: null, max_opens };
  const kept = password === null || isPrivate ? undefined : keptForeignHash(password);
  if (kept === undefined) notes.add(isPrivate ? "share.protected" : "password.foreign");
  return { password_hash: kept ?? (isApplied ? await passwords.closed() : ""), max_opens };
}
