import type { ReservedSQL } from "bun";
import { gramIndex, type Shares } from "../full-text.ts";
import type { Pool } from "./pool.ts";

/**
 * The words of shares with an index of their grams, which is built while everybody reads and writes (CREATE INDEX CONCURRENTLY). It is no
 * step of the tables: among a million shares that takes a quarter of an hour, and rooms do without until it is whole (`indisvalid`).
 */

interface Indexed extends Shares {
  /** What the words are made of. */
  readonly columns: string;
}

const indexed: readonly Indexed[] = [
  { table: "pastes", words: "paste_words", columns: "slug, remark, preview" },
  { table: "files", words: "file_words", columns: "filename, slug, remark" },
];

/**
 * How grams are made: pairs of letters, for words of two, and runs of three. An assignment that appends and does nothing else leaves the list
 * where it is; with a condition in it the list is copied for each gram.
 */
const GRAMS = `
  declare
    letter text;
    before text;
    pair text;
    grams text[] := '{}';
  begin
    foreach letter in array string_to_array(words, null) loop
      if pair is not null then
        grams := grams || (pair || letter);
      end if;
      if before is not null then
        pair := before || letter;
        grams := grams || pair;
      end if;
      before := letter;
    end loop;
    return grams;
  end `;

/** Dear, so that it is asked of no row that the index has not found. A function in SQL would be planned anew for each text that is written. */
const SHARE_GRAMS = `create or replace function share_grams(words text) returns text[]
  language plpgsql immutable parallel safe cost 10000 as $$${GRAMS}$$`;

/** Held by a connection while it builds: two that build on one table would wait for each other. */
const LOCK = "hashtext('satchel indexes'), hashtext(current_schema())";

/** Shares whose words are copied at once. */
const SLICE = 1000;

/**
 * Builds the indexes of the words of shares that are not there, and those anew whose building was cut off, unless another server does.
 * PostgreSQL ends its last step, and holds its lock, when the server that began it ends before.
 */
export const buildIndexes = (pool: Pool): Promise<void> =>
  pool.lasting(() =>
    pool.session(async (client) => {
      const [lock] = await client.unsafe<{ held: boolean }[]>(`select pg_try_advisory_lock(${LOCK}) as held`);
      if (!lock?.held) return;
      try {
        await client.unsafe("set statement_timeout = 0");
        await writeFunction(client);
        for (const shares of indexed) await buildIndex(client, shares);
      } finally {
        // A connection that is lost holds nothing any more.
        await client
          .unsafe(`select pg_advisory_unlock(${LOCK})`)
          .then(() => client.unsafe("reset statement_timeout"))
          .catch(() => undefined);
      }
    }),
  );

/** Also beside an index that is whole: versions before made the same grams in more time. */
async function writeFunction(client: ReservedSQL): Promise<void> {
  const find = "select prosrc as body from pg_proc where oid = to_regprocedure('share_grams(text)')";
  const [found] = await client.unsafe<{ body: string }[]>(find);
  if (found?.body !== GRAMS) await client.unsafe(SHARE_GRAMS);
}

async function buildIndex(client: ReservedSQL, shares: Indexed): Promise<void> {
  const index = gramIndex(shares);
  const state = `select indisvalid as whole from pg_index where indexrelid = to_regclass('${index}')`;
  const [found] = await client.unsafe<{ whole: boolean }[]>(state);
  if (found?.whole) return;
  if (found) await client.unsafe(`drop index concurrently if exists ${index}`);
  for (const statement of keeping(shares)) await client.unsafe(statement);
  await copyWords(client, shares);
  await client.unsafe(`create index concurrently ${index} on ${shares.words} using gin (share_grams(words))`);
}

/**
 * What keeps the words of each share that is written from now on, by whichever server. They stand apart from the shares, whose every view would
 * else be written to the index too: with each new version of a row PostgreSQL enters it in all indexes of its table.
 */
const keeping = ({ table, words, columns }: Indexed): readonly string[] => [
  `create table if not exists ${words} (
    number bigint primary key references ${table} (number) on delete cascade,
    words text collate "C" not null
  )`,
  `create or replace function keep_${words}() returns trigger language plpgsql as $$ begin
    insert into ${words} (number, words) values ((new).number, (new).words)
      on conflict (number) do update set words = excluded.words;
    return null;
  end $$`,
  `create or replace trigger ${words}_kept after insert or update of ${columns} on ${table}
    for each row execute function keep_${words}()`,
];

/** Copies the words of the shares that were there before; those that were written meanwhile are newer, and one that goes waits. */
async function copyWords(client: ReservedSQL, { table, words }: Shares): Promise<void> {
  for (let last = 0n; ; ) {
    const [slice] = await client.unsafe<{ last: bigint | null }[]>(`
      with slice as materialized (
        select number, words from ${table} where number > ${last} order by number limit ${SLICE} for key share),
      added as (insert into ${words} (number, words) select number, words from slice on conflict (number) do nothing)
      select max(number) as last from slice`);
    if (slice?.last == null) return;
    last = BigInt(slice.last);
  }
}
