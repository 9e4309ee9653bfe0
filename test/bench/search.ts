import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { standAlone } from "../../src/cluster/alone.ts";
import type { Cluster } from "../../src/cluster/cluster.ts";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { sql } from "../../src/database/sql.ts";
import { startCheckpoints } from "../../src/database/sqlite/checkpoints.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import { createLog } from "../../src/lib/log.ts";
import { openSearch, type Search } from "../../src/search/index.ts";
import { openStores } from "../../src/stores/stores.ts";
import { tell } from "./figures.ts";
import { longestOf, measured, type Pause, told } from "./pauses.ts";
import { listedFiles, type PackedFiles, packed, queries } from "./search-names.ts";

export const FILES = 1_000_000;
const ROUNDS = 5;
const WRITES = 20_000;
const warnings = createLog("warn", (text) => void process.stderr.write(text));

interface Bench {
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** The index of a million names in a database file: filling it, searching it and following changes. */
export async function searching({ folder, say }: Bench): Promise<void> {
  const files = packed(listedFiles(FILES));
  const options = { file: join(folder, "search.db"), synchronous: "NORMAL" } as const;
  const db = openSqlite(options);
  await migrate(db, true);
  const checkpoints = startCheckpoints({ ...options, db, log: warnings });
  const { search, storage } = await openIndex(standAlone({ db, clock: Date.now }), join(folder, "objects"), files);

  const build = await measured(() => search.build(storage));
  say(
    `index of ${FILES} names: ${Math.round((FILES / build.took) * 1000)} names/s (to reach: 60000), held the event loop for ${told(build)}`,
  );
  const again = await measured(() => search.build(storage));
  say(`  the same again: ${(again.took / 1000).toFixed(1)} s, held for ${told(again)}`);
  const scopes = scopesOf(files);
  for (const scope of [...scopes, { name: "all of these", folders: scopes.flatMap(({ folders }) => folders) }])
    await compare({ db, search, storage, say }, scope);
  await follow(search, { storage, files, say });
  await search.close();
  await checkpoints.stop();
  db.close();
}

/** A storage that lists as fast as memory, so that only the index is measured. */
export async function openIndex(cluster: Cluster, folder: string, files: PackedFiles) {
  const stores = await openStores({
    db: cluster.db,
    clock: Date.now,
    log: warnings,
    secret: "a secret of the bench",
    folder,
    holdsDataFolder: true,
  });
  const list = async ({ after = "", limit }: { after?: string | undefined; limit: number }) => {
    const objects = files.after(after, limit).map((file) => ({ ...file, etag: "", type: "" }));
    const last = objects.at(-1)?.key;
    return { objects, folders: [], next: last === files.at(files.length - 1).key ? undefined : last };
  };
  const { store, config } = await stores.get();
  const of = () => ({ config, store: { ...store, list }, readOnly: false });
  const search = await openSearch({
    cluster,
    clock: Date.now,
    log: warnings,
    stores: { configs: stores.configs, of },
  });
  return { search, storage: config.id };
}

export interface Place {
  readonly name: string;
  readonly folders: readonly string[];
}

/** Everything, a folder with about one file in seventy, and one at the end of the tree. */
export function scopesOf(files: PackedFiles): Place[] {
  const [top = "", year = "", last = ""] = files.at(Math.floor(files.length / 2)).key.split("/");
  return [
    { name: "everywhere", folders: [""] },
    { name: "in a large folder", folders: [`${top}/`] },
    { name: "in a small folder", folders: [`${top}/${year}/${last}/`] },
  ];
}

interface Compared extends Omit<Bench, "folder"> {
  readonly db: Database;
  readonly search: Search;
  readonly storage: string;
}

async function compare({ db, search, storage, say }: Compared, { name, folders }: Place): Promise<void> {
  const ours: number[] = [];
  const pauses: Pause[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      for (const folder of folders) {
        const within = [{ storage, folder, except: [] }];
        const found = await measured(() => search.find({ within, query, limit: 50, offset: 0 }));
        ours.push(found.took);
        pauses.push(found);
      }
    }
  }
  const work = `Search ${name}, among ${FILES} names`;
  const yardstick = "words as people type them, asked of the index";
  tell({ work: `${work}, median`, yardstick, value: share(ours, 0.5), unit: "ms", goal: 3 });
  tell({ work: `${work}, 95 %`, yardstick, value: share(ours, 0.95), unit: "ms", goal: 20 });
  say(`  held for ${told(longestOf(pauses))} (to reach: 20)`);
  if (folders.length > 1 || folders[0] !== "") return;
  const scans: number[] = [];
  for (const query of queries) {
    const scan = sql`select id from nodes where folded like ${`%${query.toLowerCase()}%`} order by id desc limit 1001`;
    scans.push((await measured(() => db.all(scan))).took);
  }
  say(
    `  a plain LIKE: median ${share(scans, 0.5).toFixed(1)} ms, 95 % within ${share(scans, 0.95).toFixed(1)} ms; ours is ${(share(ours, 0.5) / share(scans, 0.5)).toFixed(2)} and ${(share(ours, 0.95) / share(scans, 0.95)).toFixed(2)} of that`,
  );
}

async function follow(
  search: Search,
  { storage, files, say }: { storage: string; files: PackedFiles; say: Bench["say"] },
): Promise<void> {
  const file = { size: 1, modified: Date.now(), etag: "e", type: "text/plain" };
  const keyOf = (number: number) => `${files.at((number * 997) % files.length).key}.new`;
  const many = await measured(async () => {
    for (let number = 0; number < WRITES; number++) {
      search.record({ kind: "written", at: { storage, key: keyOf(number) }, file });
      // Nobody writes more than a few files without a turn of the event loop.
      if (number % 10 === 0) await new Promise(setImmediate);
    }
    await search.settled();
  });
  say(
    `a noted write: ${((many.took / WRITES) * 1000).toFixed(0)} us in a row of ${WRITES} (to reach: well under 1000), held for ${told(many)} (to reach: 20)`,
  );
  const alone = await measured(async () => {
    for (let number = 0; number < 500; number++) {
      search.record({ kind: "removed", at: { storage, key: keyOf(number) } });
      await search.settled();
    }
  });
  say(`  one alone: ${((alone.took / 500) * 1000).toFixed(0)} us`);
  const root = files.at(0).key.split("/")[0] ?? "";
  const moved = await measured(async () => {
    search.record({ kind: "moved", from: { storage, key: `${root}/` }, to: { storage, key: "elsewhere/moved/" } });
    await search.settled();
  });
  say(`  a folder with thousands of files moved: ${moved.took.toFixed(1)} ms`);
}

export const share = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), "satchel-search-"));
  try {
    await searching({ folder, say: (line) => void process.stdout.write(`${line}\n`) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
