import { Failure } from "#contract/failures";
import { isFileKind } from "#contract/file-kinds";
import type { LinkChange, LinkState } from "#contract/links";
import { isFilename, nameWith } from "#contract/paths";
import type { LinkRight } from "#contract/permissions";
import type { Caller } from "../access/principal.ts";
import { rightsGiven } from "../access/rights.ts";
import { addressSet } from "../lib/addresses.ts";
import { UNSEEN } from "../lib/unseen.ts";
import type { LinkRow } from "./links-table.ts";

const bits: Readonly<Record<LinkRight, number>> = { view: 1, download: 2, upload: 4 };

/** The rights that a row remembers. */
export const rightsOf = ({ rights }: Pick<LinkRow, "rights">): LinkRight[] =>
  (["view", "download", "upload"] as const).filter((right) => (rights & bits[right]) !== 0);

/** Whoever may take something along may look at it, too. */
export const bitsOf = (wanted: readonly LinkRight[]): number =>
  wanted.reduce((sum, right) => sum | bits[right] | (right === "download" ? bits.view : 0), 0);

/** Why a link lets nobody in any more, or that it does. */
export function stateOf(row: LinkRow, isOwned: boolean, now: number): LinkState {
  if (!isOwned) return "closed";
  if (row.is_active === 0) return "paused";
  if (row.expires_at !== null && row.expires_at <= now) return "expired";
  return row.max_opens > 0 && row.opens >= row.max_opens ? "spent" : "active";
}

/** Whether a link that only takes files takes none, because its owner may not upload any more: who loses that right closes it. */
export function isShut(owner: Caller, row: Pick<LinkRow, "rights">): boolean {
  const rights = rightsOf(row);
  return !rights.includes("view") && rightsGiven(owner, rights).length === 0;
}

/** Whether senders have to say their name: only a page that shows nothing asks for it, and no program does that looks and sends. */
export const asksName = (row: Pick<LinkRow, "rights" | "ask_name">): boolean =>
  row.ask_name === 1 && !rightsOf(row).includes("view");

/** As a search looks through it. */
export const wordsOf = ({ title, label, slug }: Pick<LinkRow, "title" | "label" | "slug">): string =>
  [title, label, slug].join("\n").toLowerCase();

/** 400 link.networkInvalid. */
export function requireNetworks(networks: readonly string[]): string {
  const [, wrong] = addressSet(networks);
  if (wrong.length > 0) throw new Failure("link.networkInvalid");
  return JSON.stringify([...new Set(networks)]);
}

/** The endings and media types that a link takes; none for all. */
export const kindsOf = ({ kinds }: Pick<LinkRow, "kinds">): string[] => JSON.parse(kinds) as string[];

/** 400 link.kindInvalid. */
export function requireKinds(given: readonly string[]): string {
  const kinds = given.map((kind) => kind.toLowerCase());
  if (!kinds.every(isFileKind)) throw new Failure("link.kindInvalid");
  return JSON.stringify([...new Set(kinds)]);
}

/** Files can be sealed only where any come in, and none are looked at. 400 link.recipient. */
export function requireSealable<Row extends Pick<LinkRow, "rights" | "kinds" | "recipient">>(row: Row): Row {
  const isSealable = row.rights === bits.upload && kindsOf(row).length === 0;
  if (row.recipient !== null && !isSealable) throw new Failure("link.recipient");
  return row;
}

/** What a sender says, without what would turn or hide the text around it; a name is one line. */
export function spokenText(said: string | undefined, as: "line" | "lines"): string {
  const lines = (said ?? "")
    .toWellFormed()
    .normalize("NFC")
    .split(/\r\n|[\r\n\u2028\u2029]/u);
  const clean = lines.map((line) => line.replace(/\s+/gu, " ").replace(UNSEEN, "").trim());
  return clean.join(as === "line" ? " " : "\n").trim();
}

/** What a shared text is called as a file: its title, else its slug. A title may be anything, and a name is one segment of a path. */
export function textFileName({
  title,
  slug,
  isPlain,
}: {
  title: string | null;
  slug: string;
  isPlain: boolean;
}): string {
  const ending = isPlain ? ".txt" : ".md";
  const said = spokenText(title ?? undefined, "line").replace(/[/\\]/g, "-");
  const stem = said.toLowerCase().endsWith(ending) ? said.slice(0, -ending.length) : said;
  const name = nameWith(stem.replace(/^[.\s-]+/u, ""), ending, "folder");
  return isFilename(name) && name !== ending ? name : slug + ending;
}

/** How much a link takes, of what, and what it asks, after a change. 400 link.kindInvalid. */
const takenAfter = (before: LinkRow, change: LinkChange) => ({
  max_files: change.max_files === undefined ? before.max_files : (change.max_files ?? 0),
  max_bytes: change.max_bytes === undefined ? before.max_bytes : (change.max_bytes ?? 0),
  max_file_bytes: change.max_file_bytes === undefined ? before.max_file_bytes : (change.max_file_bytes ?? 0),
  kinds: change.kinds === undefined ? before.kinds : requireKinds(change.kinds),
  ask_name: Number(change.ask_name ?? before.ask_name),
  ask_message: Number(change.ask_message ?? before.ask_message),
  sender_folders: Number(change.sender_folders ?? before.sender_folders),
  recipient: change.recipient === undefined ? before.recipient : change.recipient,
});

interface Editing {
  /** Of the new password. */
  readonly hash: string | null;
  readonly expires: number | null;
  readonly now: number;
  readonly hasItems: boolean;
}

/** A link after a change of it. 400 link.networkInvalid, link.recipient. */
export function edited(before: LinkRow, change: LinkChange, { hash, expires, now, hasItems }: Editing): LinkRow {
  const { title, note, label, rights, password, networks, is_active } = change;
  const ends = hasItems || [rights, password, networks, is_active].some((given) => given !== undefined);
  const after = {
    ...before,
    title: title === undefined ? before.title : title,
    note: note === undefined ? before.note : note || null,
    label: label === undefined ? before.label : label,
    rights: rights === undefined ? before.rights : bitsOf(rights),
    password_hash: password === undefined ? before.password_hash : hash,
    expires_at: expires,
    max_opens: change.max_opens === undefined ? before.max_opens : (change.max_opens ?? 0),
    max_downloads: change.max_downloads === undefined ? before.max_downloads : (change.max_downloads ?? 0),
    networks: networks === undefined ? before.networks : requireNetworks(networks),
    ...takenAfter(before, change),
    is_active: is_active === undefined ? before.is_active : Number(is_active),
    version: before.version + Number(ends),
    updated_at: Math.max(now, before.updated_at + 1),
  };
  return requireSealable({ ...after, words: wordsOf(after) });
}
