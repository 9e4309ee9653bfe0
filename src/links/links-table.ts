import type { LinkState } from "#contract/links";
import { type LinkPlace, TEXTS } from "../access/principal.ts";
import { forgetting } from "../activity/activity-table.ts";
import type { Database, Reading } from "../database/database.ts";
import { renamed } from "../database/keys.ts";
import { joined, list, type Sql, sql } from "../database/sql.ts";
import { randomToken } from "../lib/secret.ts";
import type { MovedChange } from "../stores/changes.ts";
import type { Place } from "../stores/store.ts";
import { isAtPlace, sameBucket } from "../transfers/uploads-table.ts";

/** Its time is over, or its owner may not upload any more or is gone. */
export type ClosedFor = "link.expired" | "link.right";

export interface LinkRow {
  /** Later ones are greater. */
  readonly id: string;
  readonly slug: string;
  readonly title: string | null;
  readonly note: string | null;
  readonly label: string | null;
  /** Title, label and slug in lower case. */
  readonly words: string;
  /** Bits (link-rights.ts). */
  readonly rights: number;
  readonly password_hash: string | null;
  /** Epoch milliseconds; null is never. */
  readonly expires_at: number | null;
  /** 0 is without limit. */
  readonly max_opens: number;
  readonly opens: number;
  readonly max_downloads: number;
  readonly downloads: number;
  /** A JSON list; empty is everywhere. */
  readonly networks: string;
  /** Files that it takes in all; 0 is without limit. */
  readonly max_files: number;
  readonly max_bytes: number;
  /** Of one file. */
  readonly max_file_bytes: number;
  /** A JSON list of endings and media types; empty is all. */
  readonly kinds: string;
  readonly ask_name: number;
  readonly ask_message: number;
  readonly sender_folders: number;
  /** For whom pages seal what they send; null where they do not. */
  readonly recipient: string | null;
  /** Files that have come by it and those on their way, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  readonly is_active: number;
  /** Why it takes no more files, once that was noticed and told. */
  readonly closed_for: ClosedFor | null;
  /** Raised by each change that ends the grants. */
  readonly version: number;
  readonly created_by: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A row of a list: 1 when its owner is there, and how many items it has. */
export interface ListedLinkRow extends LinkRow {
  readonly owned: number;
  readonly item_count: number;
}

export interface LinkItemRow extends Pick<LinkPlace, "storage" | "key" | "mount" | "name"> {
  readonly link: string;
  readonly position: number;
  /** Tells it apart from others that the link has or had. */
  readonly id: string;
  readonly gone_at: number | null;
  /** Of a text that is there and can be opened. */
  readonly text_slug: string | null;
  readonly text_title: string | null;
  readonly text_plain: number | null;
  readonly text_owner: string | null;
}

/** An item that a link has, which a change of the link may keep. */
export interface LinkItemPlace extends LinkPlace {
  readonly id: string;
  readonly position: number;
}

/** Which links a list shows; undefined fields leave nothing out. */
export interface LinkFilter {
  /** The names under which the one owner is known. */
  readonly owners: readonly string[] | undefined;
  /** In lower case; each of them has to be found. */
  readonly words: readonly string[];
  readonly state: LinkState | undefined;
  /** Those that lead to one of these keys of a storage; none for none. */
  readonly at: { readonly storage: string; readonly keys: readonly string[] } | undefined;
}

/** A download of a visitor. */
interface Download {
  readonly link: string;
  readonly visitor: string;
  /** A digest of what is downloaded. */
  readonly thing: string;
  /** The end of the opening. */
  readonly until: number;
}

const columns = sql`id, slug, title, note, label, words, rights, password_hash, expires_at, max_opens, opens,
  max_downloads, downloads, networks, max_files, max_bytes, max_file_bytes, kinds, ask_name, ask_message,
  sender_folders, recipient, files, bytes, is_active, closed_for, version, created_by, created_at, updated_at`;

/** Whether the owner of a link is there, and is a key that has not expired and is not suspended. */
const isOwned = (now: number): Sql => sql`(created_by = 'admin' or exists (select 1 from api_keys
  where api_keys.id = substr(links.created_by, 8) and api_keys.suspended_at is null
    and (api_keys.expires_at is null or api_keys.expires_at > ${now})))`;

const listedColumns = (now: number): Sql => sql`${columns}, case when ${isOwned(now)} then 1 else 0 end as owned,
  (select count(*) from link_items where link_items.link = links.id) as item_count`;

const isExpired = (now: number): Sql => sql`(expires_at is not null and expires_at <= ${now})`;
const isSpent = sql`(max_opens > 0 and opens >= max_opens)`;

/** As `stateOf` says it of a row. */
function isInState(state: LinkState, now: number): Sql {
  const owned = sql`(${isOwned(now)} and (closed_for is null or closed_for <> 'link.right'))`;
  switch (state) {
    case "closed":
      return sql`not ${owned}`;
    case "paused":
      return sql`is_active = 0 and ${owned}`;
    case "expired":
      return sql`is_active = 1 and ${isExpired(now)} and ${owned}`;
    case "spent":
      return sql`is_active = 1 and not ${isExpired(now)} and ${isSpent} and ${owned}`;
    case "active":
      return sql`is_active = 1 and not ${isExpired(now)} and not ${isSpent} and ${owned}`;
  }
}

const pattern = (word: string): string => `%${word.replace(/[!%_]/g, "!$&")}%`;

function shown({ owners, words, state, at }: LinkFilter, now: number): Sql {
  const leads =
    at &&
    sql`id in (select link from link_items where gone_at is null
    and storage in ${sameBucket(at.storage)} and key in (${list(at.keys)}))`;
  const conditions = [
    ...(owners ? [sql`created_by in (${list(owners)})`] : []),
    ...words.map((word) => sql`words like ${pattern(word)} escape '!'`),
    ...(state ? [isInState(state, now)] : []),
    ...(leads ? [leads] : []),
  ];
  return conditions.length === 0 ? sql`true` : joined(conditions, " and ");
}

/** No sealed file is at the address that a link would have. */
const isFree = (slug: string): Sql => sql`not exists (${sealedAt(slug)})`;

const sealedAt = (slug: string): Sql => sql`select 1 from files where files.slug = ${slug} and sealed is not null`;

const insertion = (row: LinkRow): Sql => sql`
  insert into links (${columns}) select ${row.id}, ${row.slug}, ${row.title}, ${row.note}, ${row.label}, ${row.words},
    ${row.rights}, ${row.password_hash}, ${row.expires_at}, ${row.max_opens}, ${row.opens}, ${row.max_downloads},
    ${row.downloads}, ${row.networks}, ${row.max_files}, ${row.max_bytes}, ${row.max_file_bytes}, ${row.kinds},
    ${row.ask_name}, ${row.ask_message}, ${row.sender_folders}, ${row.recipient}, ${row.files}, ${row.bytes}, ${row.is_active},
    ${row.closed_for}, ${row.version}, ${row.created_by}, ${row.created_at}, ${row.updated_at}
  where ${isFree(row.slug)} on conflict do nothing`;

const ITEM_ID_BYTES = 9;

const itemInsertion = (link: string, position: number, { storage, key, mount, name }: LinkPlace): Sql => sql`
  insert into link_items (link, position, id, storage, key, mount, name)
  values (${link}, ${position}, ${randomToken(ITEM_ID_BYTES)}, ${storage}, ${key}, ${mount}, ${name})`;

/**
 * Makes these the items of a link, in this order. One that it has already is not written anew, so that a move of it meanwhile holds;
 * all are put aside, and those that are not taken back are taken out.
 */
const itemChanges = (link: string, items: readonly (LinkPlace | LinkItemPlace)[], changed: Error): Sql[] => [
  sql`update link_items set position = -1 - position where link = ${link}`,
  ...items.map((item, position) =>
    "id" in item
      ? sql`update link_items set position = ${position}, id = ${item.id}
          where link = ${link} and position = ${-1 - item.position}`.expect(1, changed)
      : itemInsertion(link, position, item),
  ),
  sql`delete from link_items where link = ${link} and position < 0`,
];

/** A text that is there and can be opened at this moment; what it was called when it came into the link says nothing. */
const openTexts = (now: number): Sql => sql`pastes text on storage = ${TEXTS} and text.id = key
  and (text.expires_at is null or text.expires_at > ${now}) and (text.max_views = 0 or text.views < text.max_views)`;

const lose = (place: Place, now: number): Sql =>
  sql`update link_items set gone_at = ${now} where ${isAtPlace(place)} and gone_at is null`;

/** Ends links, with all that belongs to them. */
const removals = (ids: Sql): Sql[] => [
  sql`delete from links where id in (${ids})`.publishing("links"),
  sql`delete from link_items where link in (${ids})`,
  sql`delete from link_downloads where link in (${ids})`,
  sql`delete from link_arrivals where link in (${ids})`,
  sql`delete from link_receipts where link in (${ids})`,
  forgetting("link", ids),
];

const changesExpiry = (before: LinkRow, after: LinkRow): number => Number(before.expires_at !== after.expires_at);

/** One row changed, or the other way round; thrown inside only. */
class Unchanged extends Error {}

/** Runs a batch; false when one of its statements did not change what it was to change, and then nothing has. */
async function whole(db: Database, make: (otherwise: Error) => readonly Sql[]): Promise<boolean> {
  const unchanged = new Unchanged();
  try {
    await db.batch(make(unchanged));
    return true;
  } catch (error) {
    if (error === unchanged) return false;
    throw error;
  }
}

/** Whether links take files still. */
const closingTable = (db: Database) => ({
  /** Notes why a link takes no more files, along with what tells of it; neither where that was noted before. */
  close: (id: string, { reason, now }: { readonly reason: ClosedFor; readonly now: number }, told: readonly Sql[]) =>
    whole(db, (known) => [
      sql`update links set closed_for = ${reason} where id = ${id} and closed_for is null
        and (${reason} <> 'link.expired' or expires_at <= ${now})`
        .publishing("links")
        .expect(1, known),
      ...told,
    ]),

  /** Its owner may upload again. */
  reopen: (id: string) =>
    db.run(sql`update links set closed_for = null where id = ${id} and closed_for = 'link.right'`.publishing("links")),

  /** Links behind one of them that take files, or would if their owner could. */
  takingFrom: (after: string, limit: number) =>
    db.all<LinkRow>(sql`select ${columns} from links where id > ${after} and rights >= 4
      and (closed_for is null or closed_for = 'link.right') order by id limit ${limit}`),
});

/** How links keep their passwords. */
const hashesTable = (db: Database) => ({
  /** Keeps another hash of the same password, unless the link has got another password meanwhile. */
  rehash: (id: string, before: string, after: string) =>
    db.run(
      sql`update links set password_hash = ${after} where id = ${id} and password_hash = ${before}`.publishing("links"),
    ),
});

export const linksTable = (db: Database, reading: Reading = db) => ({
  ...closingTable(db),
  ...hashesTable(db),

  /** Answers whether the slug was free. */
  insert: (row: LinkRow, items: readonly LinkPlace[]) =>
    whole(db, (taken) => [
      insertion(row).publishing("links").expect(1, taken),
      ...items.map((item, position) => itemInsertion(row.id, position, item)),
    ]),

  find: (id: string) => db.first<LinkRow>(sql`select ${columns} from links where id = ${id}`),
  findBySlug: (slug: string) => db.first<LinkRow>(sql`select ${columns} from links where slug = ${slug}`),
  slugIsFree: async (slug: string) =>
    (await db.first(sql`select 1 from links where slug = ${slug} union all ${sealedAt(slug)}`)) === undefined,

  findListed: (id: string, now: number) =>
    db.first<ListedLinkRow>(sql`select ${listedColumns(now)} from links where id = ${id}`),

  /** Newest first. */
  page: (filter: LinkFilter, { limit, offset }: { limit: number; offset: number }, now: number) =>
    reading.all<ListedLinkRow>(sql`
      select ${listedColumns(now)} from links where ${shown(filter, now)} order by id desc limit ${limit} offset ${offset}`),

  count: async (filter: LinkFilter, now: number) =>
    (await reading.first<{ total: number }>(sql`select count(*) as total from links where ${shown(filter, now)}`))
      ?.total ?? 0,

  /** Those of some links in their order, so many of each. */
  items: (links: readonly string[], most: number, now: number) =>
    db.all<LinkItemRow>(sql`select link, position, case when link_items.id = '' then cast(position as text) else link_items.id end as id,
        storage, key, mount, name, gone_at, text.slug as text_slug, text.remark as text_title, text.plain as text_plain,
        text.created_by as text_owner
      from link_items left join ${openTexts(now)}
      where link in (${list(links)}) and position < ${most} order by link, position`),

  /** Writes all but the counters, and the items where they are given. Answers false where it changed meanwhile, or the slug is taken. */
  update: (before: LinkRow, after: LinkRow, items: readonly (LinkPlace | LinkItemPlace)[] | undefined) =>
    whole(db, (changed) => [
      sql`update links set slug = ${after.slug}, title = ${after.title}, note = ${after.note}, label = ${after.label},
        words = ${after.words}, rights = ${after.rights}, password_hash = ${after.password_hash},
        expires_at = ${after.expires_at}, max_opens = ${after.max_opens}, max_downloads = ${after.max_downloads},
        networks = ${after.networks}, max_files = ${after.max_files}, max_bytes = ${after.max_bytes},
        max_file_bytes = ${after.max_file_bytes}, kinds = ${after.kinds}, ask_name = ${after.ask_name},
        ask_message = ${after.ask_message}, sender_folders = ${after.sender_folders}, recipient = ${after.recipient},
        full_told = case when max_files = ${after.max_files} then full_told else 0 end,
        closed_for = case when closed_for = 'link.expired' and ${changesExpiry(before, after)} = 1 then null else closed_for end,
        is_active = ${after.is_active}, version = ${after.version},
        updated_at = ${after.updated_at}
        where id = ${before.id} and version = ${before.version} and updated_at = ${before.updated_at}
          and not exists (select 1 from links rival where rival.slug = ${after.slug} and rival.id <> ${before.id})
          and ${isFree(after.slug)}`
        .publishing("links")
        .expect(1, changed),
      ...(items ? itemChanges(before.id, items, changed) : []),
    ]),

  remove: async (id: string) => (await db.batch(removals(list([id]))))[0] === 1,

  /** Spends an opening; false when the link has changed, ended or none was left. */
  open: async ({ id, version }: Pick<LinkRow, "id" | "version">, now: number) =>
    (await db.run(
      sql`update links set opens = opens + 1 where id = ${id} and version = ${version} and is_active = 1
        and (max_opens = 0 or opens < max_opens) and (expires_at is null or expires_at > ${now})`.byRow(),
    )) === 1,

  /** Notes a download, which counts once for each visitor; false when it is a new one and none was left. */
  async download({ link, visitor, thing, until }: Download): Promise<boolean> {
    const [known, spent] = [new Unchanged(), new Unchanged()];
    try {
      await db.batch([
        sql`insert into link_downloads (link, visitor, thing, until) values (${link}, ${visitor}, ${thing}, ${until})
          on conflict do nothing`.expect(1, known),
        sql`update links set downloads = downloads + 1
          where id = ${link} and (max_downloads = 0 or downloads < max_downloads)`.expect(1, spent),
      ]);
      return true;
    } catch (error) {
      if (error === known) return true;
      if (error === spent) return false;
      throw error;
    }
  },

  /** Forgets which downloads were counted of openings that have ended; returns how many. */
  forgetDownloads: (now: number) => db.run(sql`delete from link_downloads where until <= ${now}`),

  /** Notes that a file, or all in a folder, was deleted for ever; answers whether links lead there. */
  lose: async (place: Place, now: number) => (await db.run(lose(place, now))) > 0,

  /** Notes that items of a link lead nowhere. */
  loseItems: (link: string, items: readonly string[], now: number) =>
    db.run(
      sql`update link_items set gone_at = ${now} where link = ${link} and id in (${list(items)})`.publishing("links"),
    ),

  /** Notes that a file, or all in a folder, has another key; answers whether links lead there. */
  async move({ from, to, again, over }: MovedChange, now: number): Promise<boolean> {
    const storage = sql`case when storage = ${from.storage} then ${to.storage} else storage end`;
    const counts = await db.batch([
      // What was there before was deleted behind our back, unless this is told again or took the place of a file.
      ...(again || over ? [] : [lose(to, now)]),
      sql`update link_items set storage = ${storage}, key = ${renamed(from.key, to.key)}
        where ${isAtPlace(from)} and gone_at is null`,
    ]);
    return counts.some((rows) => rows > 0);
  },

  /** Removes links that expired before an instant, or whose owner is gone and that nobody has changed since. */
  async sweep(before: number, now: number, limit: number): Promise<number> {
    const ended = await db.all<{ id: string }>(sql`
      select id from links where (expires_at is not null and expires_at <= ${before})
        or (created_by <> 'admin' and updated_at <= ${before} and not ${isOwned(now)}) limit ${limit}`);
    if (ended.length > 0) await db.batch(removals(list(ended.map(({ id }) => id))));
    return ended.length;
  },
});

export type LinksTable = ReturnType<typeof linksTable>;
