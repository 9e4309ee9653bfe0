import { Failure } from "#contract/failures";
import { linkStates } from "#contract/links";
import { adminTable, sessionsTable } from "../../../../src/access/admin-table.ts";
import { auditTable } from "../../../../src/access/audit-table.ts";
import { VISITOR } from "../../../../src/access/callers.ts";
import { guessesTable, knownAddressesTable } from "../../../../src/access/guesses-table.ts";
import { keysTable } from "../../../../src/access/keys-table.ts";
import { activityTable } from "../../../../src/activity/activity-table.ts";
import { planTable } from "../../../../src/backup/plan-table.ts";
import { createLeases } from "../../../../src/cluster/leases.ts";
import { publishingDatabase } from "../../../../src/cluster/publish.ts";
import { openVersions } from "../../../../src/cluster/versions.ts";
import type { Database } from "../../../../src/database/database.ts";
import { type Sql, sql } from "../../../../src/database/sql.ts";
import { jobCounts } from "../../../../src/jobs/counts-table.ts";
import { jobsTable } from "../../../../src/jobs/jobs-table.ts";
import { type ArrivalRow, arrivalsTable, receiptsTable } from "../../../../src/links/arrivals-table.ts";
import { linksTable } from "../../../../src/links/links-table.ts";
import { sealedKeysTable } from "../../../../src/links/sealed-keys-table.ts";
import { changeLogTable } from "../../../../src/search/change-log-table.ts";
import { nodeChange, nodesTable } from "../../../../src/search/nodes-table.ts";
import { settingsTable } from "../../../../src/settings/settings-table.ts";
import { filesTable } from "../../../../src/shares/files-table.ts";
import { pastesTable, textQuotasTable } from "../../../../src/shares/pastes-table.ts";
import { storedFilesTable } from "../../../../src/shares/stored-files-table.ts";
import { visitorSharesTable } from "../../../../src/shares/visitor-shares-table.ts";
import { configsTable } from "../../../../src/stores/configs-table.ts";
import { diskTable, unfinishedMultiparts } from "../../../../src/stores/disk/disk-table.ts";
import { backupsTable } from "../../../../src/system/backups-table.ts";
import { fullStoragesTable } from "../../../../src/system/full-storages-table.ts";
import { appendsTable } from "../../../../src/transfers/appends-table.ts";
import { intentsTable } from "../../../../src/transfers/intents-table.ts";
import { uploadResultsTable } from "../../../../src/transfers/upload-results-table.ts";
import { uploadsTable } from "../../../../src/transfers/uploads-table.ts";
import { visitorFilesTable } from "../../../../src/transfers/visitor-files-table.ts";
import { mountsTable } from "../../../../src/vfs/mounts-table.ts";
import { trashTable } from "../../../../src/vfs/trash/trash-table.ts";
import { locksTable } from "../../../../src/vfs/webdav/locks-table.ts";
import { propertiesTable } from "../../../../src/vfs/webdav/properties-table.ts";
import { type DeliveryRow, deliveriesTable, queueing } from "../../../../src/webhooks/deliveries-table.ts";
import { type WebhookRow, webhooksTable } from "../../../../src/webhooks/webhooks-table.ts";

/** A statement, and the function of a table that asked it. */
export interface Asked {
  readonly by: string;
  readonly query: Sql;
}

/** What each function of a table is called with, once or in several ways. A new function has no row here and does not compile. */
type Calls<Table> = {
  readonly [Name in keyof Table as Table[Name] extends (...sent: never[]) => unknown
    ? Name
    : never]: Table[Name] extends (...sent: infer Sent extends readonly unknown[]) => unknown
    ? readonly Readonly<Sent>[]
    : never;
};

interface Call {
  readonly by: string;
  readonly make: () => unknown;
}

function callsOf<Table extends object>(name: string, table: Table, calls: Calls<Table>): Call[] {
  const each = Object.entries(calls) as [keyof Table & string, readonly (readonly unknown[])[]][];
  return each.flatMap(([method, ways]) =>
    ways.map((sent) => ({
      by: `${name}.${method}`,
      make: () => (table[method] as (...all: unknown[]) => unknown)(...sent),
    })),
  );
}

/** Of these what is asked first decides what is asked next. */
const ASKING_ON = /^(disk|properties|nodes|versions|walked)\b/;

/** A database that notes what it is asked, answers where the answer leads on, and changes nothing. */
function notingDatabase(db: Database) {
  let by = "";
  const asked: Asked[] = [];
  const note = (query: Sql): boolean => {
    asked.push({ by, query });
    return ASKING_ON.test(by) && /^\s*(select|with)\b/.test(query.text);
  };
  const noting: Database = {
    ...db,
    get now() {
      return db.now;
    },
    first: async <Row>(query: Sql) => (note(query) ? await db.first<Row>(query) : undefined),
    all: async <Row>(query: Sql) => (note(query) ? await db.all<Row>(query) : []),
    async run(query) {
      note(query);
      return 1;
    },
    async batch(queries) {
      for (const query of queries) note(query);
      return queries.map(({ expected }) => expected?.rows ?? 1);
    },
  };
  return {
    noting,
    asked,
    begin(name: string) {
      by = name;
    },
    note,
  };
}

const isStatement = (result: unknown): result is Sql =>
  typeof result === "object" && result !== null && "text" in result && "values" in result;

const NOW = 1_000_000;
const gone = new Failure("upload.missing");
const storage = "s1";
const at = { storage, key: "d7/7" };
const folder = { storage, key: "d7/" };
const whole = { storage, key: "" };

const share = {
  id: "f7",
  password_hash: null,
  expires_at: null,
  max_views: 0,
  views: 0,
  version: 1,
  slug: "s7",
  remark: null,
  size: 1,
  created_by: "admin",
  created_at: 1,
  updated_at: 1,
};
const paste = { ...share, id: "p7", preview: "", plain: 0, quota: "admin", quota_bytes: 1 };
const file = {
  ...share,
  filename: "name",
  ...at,
  upload: "u9",
  pending: 0,
  content_type: "t",
  etag: null,
  use_proxy: 0,
  sealed: null,
  file_gone_at: null,
};
const upload = {
  id: "new",
  ...at,
  content_type: "t",
  size: 1,
  state: "pending",
  multipart: null,
  part_size: null,
  created_by: "admin",
  credential: "",
  created_at: 1,
  touched_at: 1,
  addressed_until: 0,
  overwrites: 0,
  found: null,
  arrived: 0,
  claimed: null,
  checksum: null,
  tags: null,
  network: null,
  append_size: null,
  total_size: null,
  tail_part: null,
  tail_size: null,
  metadata: null,
} as const;
const head = { key: at.key, size: 1, etag: "e", type: "t", modified: 1 };
const entry = {
  ...({ kind: "paste", subject: "p7", at: 1, id: "new", event: "opened", outcome: "whole" } as const),
  ...{ name: "", network: "", program: "", bytes: null, times: 1 },
};
const session = { id: "new", created_at: 1, used_at: 1, expires_at: 1, address: "a", user_agent: "u" };
const account = { username: "admin", password_hash: "h", is_generated: 0 };
const key = {
  id: "new",
  name: "new",
  key_hash: "h",
  sealed_key: "s",
  permissions: 1,
  role: "GENERAL",
  basic_path: "/",
  is_guest: 0,
  s3_access_key_id: "new",
  expires_at: null,
  suspended_at: null,
  last_used: null,
  created_at: 1,
  updated_at: 1,
} as const;
const keyUpdate = {
  name: "other",
  permissions: undefined,
  role: undefined,
  basic_path: undefined,
  is_guest: undefined,
  expires_at: undefined,
};
const config = {
  id: "new",
  name: "n",
  provider_type: "Other",
  endpoint_url: "e",
  bucket_name: "b",
  region: "",
  path_style: 0,
  access_key_id: "",
  sealed_secret: "",
  default_folder: "",
  is_public: 1,
  is_default: 0,
  total_storage_bytes: null,
  custom_host: null,
  signature_expires_in: 1,
  last_used: null,
  tested_at: null,
  passed: null,
  created_at: 1,
  updated_at: 1,
};
const mount = {
  id: "new",
  name: "n",
  path: "/n",
  storage,
  remark: null,
  is_active: 1,
  sort_order: 0,
  cache_ttl: 0,
  web_proxy: 0,
  webdav_policy: "native_proxy",
  enable_sign: 0,
  sign_expires: null,
  readme: 1,
  trash: 1,
  created_by: "admin",
  last_used: null,
  created_at: 1,
  updated_at: 1,
} as const;
const link = {
  ...{ id: "l7", slug: "l7", title: "t", note: null, label: null, words: "t\n\nl7", rights: 3, password_hash: null },
  ...{ expires_at: null, max_opens: 0, opens: 0, max_downloads: 0, downloads: 0, networks: "[]", is_active: 1 },
  ...{ max_files: 9, max_bytes: 9, max_file_bytes: 9, kinds: "[]", ask_name: 1, ask_message: 0, sender_folders: 1 },
  recipient: null,
  ...{ files: 0, bytes: 0, closed_for: null, version: 1, created_by: "admin", created_at: 1, updated_at: 1 },
} as const;
const receipt = { id: "r7", link: "l7", sender: "s", message: null, folder: "/f", created_at: 1 } as const;
const arrival: ArrivalRow = {
  ...{ id: "f7", link: "l7", receipt: "r7", visitor: "v", path: "/f/n", storage, key: "n", name: "n", size: 1 },
  ...{
    state: "coming",
    is_numbered: 1,
    upload: null,
    etag: null,
    sha256: null,
    created_at: 1,
    arrived_at: null,
    taking_at: null,
  },
};
const everyLink = { owners: undefined, words: [], state: undefined, at: undefined } as const;
const trashed = {
  id: "t9",
  name: "n",
  mount: "m1",
  origin: "a",
  path: "/m1/a",
  size: 1,
  files: 1,
  owner: "admin",
  deletedAt: 1,
  purgeAt: 2,
} as const;
const job = { job: "j7", position: 0 };
const intent = { path: "p", target: null, files: 1, bytes: 1, whole: true };
const step = { path: "p", outcome: "done", bytes: 1 } as const;
const lock = {
  token: "t",
  path: "/m1/x",
  deep: false,
  shared: false,
  holder: "admin",
  owner: "",
  life: 1,
  until: NOW,
};
const node = { id: 200_000, storage: 1, parent: 2, name: "n", folded: "n" };
const growth = { size: 1, files: 1, newest: 1 };
const change = { kind: "removed", at } as const;
const moved = { kind: "moved", from: at, to: { storage, key: "d8/7" } } as const;
const movedFolder = { kind: "moved", from: folder, to: { storage: "s2", key: "e/" } } as const;
const webhook: WebhookRow = {
  id: "new",
  name: "n",
  kind: "standard",
  language: "en",
  host: "h",
  sealed_address: "a",
  sealed_token: null,
  sealed_secret: "s",
  sealed_old_secret: null,
  old_secret_until: null,
  enabled: 1,
  disabled_reason: null,
  disabled_at: null,
  failures: 0,
  paused_until: 0,
  succeeded_at: null,
  dropped: 0,
  created_at: 1,
  updated_at: 1,
};
const target = { ...webhook, id: "w7" };
const message = { id: "msg_new", event: "job.failed", body: "{}", at: NOW } as const;
const delivery: DeliveryRow = {
  ...{ ...message, id: "msg_7", webhook: "w7" },
  state: "waiting",
  attempts: 1,
  first_try_at: 1,
  due_at: 1,
  ended_at: null,
  status: null,
  problem: null,
  clock_ahead: null,
};
const tried = { now: NOW, status: 500, problem: "status", clockAhead: null } as const;
const days = { first: 1, last: 7 };

const states = [undefined, "active", "expired", "used_up"] as const;
const searches = [undefined, "name", "na", "preview text"];
/** Filters of lists, in every combination of a state and a search, with and without an owner. */
const filters = [undefined, ["admin"]].flatMap((owners) =>
  searches.flatMap((search) => states.map((state) => ({ owners, search, state }))),
);
/** A search of which PostgreSQL has reckoned something. */
const found = { owners: ["admin"], search: "preview text" };
const outlooks = [
  { byGrams: true, isAmple: false },
  { byGrams: false, isAmple: true },
];
const pagesOf = <Sort extends string>(sorts: readonly Sort[]) =>
  filters.flatMap((filter) =>
    sorts.flatMap((sort) =>
      (["asc", "desc"] as const).map((order) => [{ ...filter, sort, order, limit: 10, offset: 0 }, NOW] as const),
    ),
  );

/** A page far behind, and the next one, which begins where that has ended. */
const walkOf = <Sort extends string>(sorts: readonly Sort[]) =>
  sorts.flatMap((sort) =>
    (["asc", "desc"] as const).flatMap((order) =>
      [990, 1020].map((offset) => [{ owners: undefined, sort, order, limit: 31, offset }, NOW] as const),
    ),
  );

const pagesOnly = <Page>({ page }: { readonly page: Page }) => ({ page });

function allCalls(db: Database): Call[] {
  const now = () => sql`${NOW}`;
  const publishing = publishingDatabase(db, []);
  const leases = createLeases({
    db,
    node: "h7",
    elapsed: () => 0,
    sleep: async () => undefined,
    failed: () => undefined,
    busy: () => gone,
  });
  const cluster = { db: publishing, node: "h7", leases, now };
  return [
    ...callsOf("admin", adminTable(publishing), {
      account: [[]],
      create: [[account, NOW]],
      change: [[account, account, NOW]],
      isStill: [[account]],
      addLink: [["t", NOW]],
      spendLink: [["t", NOW]],
      removeExpiredLinks: [[5]],
    }),
    ...callsOf("sessions", sessionsTable(publishing), {
      insert: [[session, 100_001]],
      find: [["n7"]],
      living: [[5, 20]],
      count: [[99_990]],
      touch: [["n7", NOW, NOW]],
      remove: [["n7"]],
      removeOthers: [["n7", 5]],
      removeExpired: [[5]],
    }),
    ...callsOf("activity", activityTable(publishing), {
      insert: [[[entry]]],
      page: [
        [{ kind: "paste", id: "p7" }, 20, undefined],
        [{ kind: "paste", id: "p7" }, 20, { at: 5, id: "a5" }],
      ],
      latest: [[8]],
      countByDay: [[{ kind: "paste", id: "p7" }, 5]],
      count: [[]],
      removeOldest: [[500], [500, 5]],
    }),
    ...callsOf("audit", auditTable(publishing), {
      insert: [[{ at: 1, action: "login.done", actor: "", address: "", subject: null, name: null, fields: "[]" }]],
      page: [[{ limit: 10, offset: 0 }], [{ limit: 10, offset: 0, action: "login.done" }]],
      count: [[undefined], ["login.done"]],
      removeBefore: [[5, 500]],
      removeOldest: [
        [undefined, 500],
        ["login.done", 500],
      ],
    }),
    ...callsOf("guesses", guessesTable(publishing, now), {
      enter: [["g7", { misses: 3, window: 1000 }]],
      leave: [["g7", true, 1000]],
      miss: [["g7", { misses: 3, window: 1000 }]],
      read: [["g7"]],
      removeEnded: [[]],
    }),
    ...callsOf("known addresses", knownAddressesTable(publishing, now), {
      has: [["a7"]],
      add: [["a7"], ["a7", (isNew) => [sql`select 1 where ${isNew}`]]],
      removeUnused: [[100]],
      removeOldest: [["keyByStrangers", 100, 500]],
    }),
    ...callsOf("keys", keysTable(publishing), {
      insert: [[key], [{ ...key, is_guest: 1 }]],
      insertAll: [[[key]]],
      all: [[]],
      names: [[]],
      count: [[]],
      expiring: [[1, 2, 3]],
      find: [["k7"]],
      findByHash: [["h7"]],
      findByS3Name: [["n7"]],
      findGuest: [[]],
      nameIsTaken: [["n", "k7"]],
      guestIsTaken: [["k7", NOW]],
      update: [
        ["k7", keyUpdate, NOW],
        ["k7", { ...keyUpdate, is_guest: 1 }, NOW],
      ],
      suspend: [["k7", NOW]],
      resume: [["k7"]],
      addUses: [[new Map([["k7", NOW]])]],
      remove: [["k7"]],
    }),
    ...callsOf("settings", settingsTable(publishing), {
      all: [[]],
      seed: [[[{ group_id: 1, name: "n", value: "v" }], NOW]],
      set: [[new Map([["n", "v"]]), NOW]],
    }),
    ...callsOf("backups", backupsTable(publishing), { read: [[]], write: [[{}, []]] }),
    ...callsOf("full storages", fullStoragesTable(publishing), { read: [[]], write: [[["s1"], "[]", []]] }),
    ...callsOf("webhooks", webhooksTable(publishing), {
      all: [[]],
      find: [["w7"]],
      events: [[]],
      wanted: [[]],
      switchedOff: [[]],
      insert: [[webhook, ["job.failed"], 20, gone]],
      update: [
        [webhook, { events: ["job.failed"], enabled: true, isElsewhere: true }, gone],
        [webhook, { events: undefined, enabled: false, isElsewhere: false }, gone],
      ],
      rotate: [[webhook, "t", NOW, NOW]],
      remove: [["w7"]],
    }),
    ...callsOf("deliveries", deliveriesTable(publishing), {
      queue: [[[message], 1000]],
      areDue: [],
      due: [[NOW]],
      nextDue: [[]],
      next: [["w7", NOW]],
      arrived: [[delivery, target, tried, []]],
      retryLater: [[delivery, target, { ...tried, again: NOW, pausedUntil: NOW }, []]],
      giveUp: [[delivery, target, tried, "gone", []]],
      insertEnded: [[{ ...delivery, id: "msg_new" }]],
      page: [["w7", 20, 0]],
      giveUpOld: [[5, NOW, 100]],
      removeEnded: [[5, 100]],
      removeBeyond: [["w7", 200, 100]],
    }),
    ...callsOf("storages", configsTable(publishing), {
      all: [[]],
      find: [[storage]],
      seed: [[config]],
      insert: [[config], [{ ...config, is_default: 1 }]],
      insertAll: [[[config]]],
      update: [[config, NOW]],
      setDefault: [[storage]],
      uses: [[storage, NOW]],
      allUses: [[]],
      remove: [[storage, NOW]],
      addTest: [[{ ...config, id: storage }, true, NOW]],
      addUses: [[new Map([[storage, NOW]])]],
    }),
    ...callsOf("disk", diskTable(publishing, "b1"), {
      attributes: [[at.key, "1"]],
      attributesBetween: [["d7/1", "d7/2"]],
      attributesOf: [[["d7/7", "d8/8"]]],
      addAttributes: [[at.key, "1", { content_type: "t", etag: "e", headers: null, checksums: null, parts: null }]],
      removeAttributes: [[at.key, "1"]],
      removeOlderAttributes: [[at.key, "1"]],
      removeAttributesOf: [[[at.key]]],
      copyTree: [
        [at.key, "new"],
        [folder.key, "new/"],
      ],
      removeCopies: [
        [at.key, "new"],
        [folder.key, "new/"],
      ],
      removeTree: [[at.key], [folder.key]],
      addMultipart: [[{ id: "new", key: at.key, content_type: "t", part_size: null, headers: null }, NOW]],
      multipart: [["u7"]],
      multipartsOf: [[at.key]],
      setPartSize: [["u7", 1]],
      renameMultipart: [["u7", "k"]],
      removeMultipart: [["u7"]],
      part: [["u7", 1]],
      parts: [["u7"]],
      partsAfter: [["u7", 0, 500]],
      putPart: [["u7", { number: 1, etag: "e", size: 1, file: "f", start: 0, checksums: null }]],
    }),
    { by: "disk.unfinishedMultiparts", make: () => unfinishedMultiparts(publishing) },
    ...callsOf("jobs", jobsTable(cluster), {
      insert: [
        [
          {
            id: "new",
            owner: "apikey:7",
            created_at: NOW,
            credential: null,
            tasks: [
              {
                task: { kind: "delete", source: "/m1/a" },
                done: 0,
                skipped: 0,
                failed: 1,
                bytes: 0,
                failures: [{ path: "p", failure: gone }],
              },
            ],
          },
          { waiting: 1, refusal: gone, ended: 100, failures: 20 },
        ],
      ],
      find: [["j7"]],
      page: [
        [{ owner: undefined, state: undefined, limit: 10, offset: 0 }],
        [{ owner: "apikey:7", state: undefined, limit: 10, offset: 0 }],
        [{ owner: undefined, state: "failed", limit: 10, offset: 0 }],
        [{ owner: "apikey:7", state: "failed", limit: 10, offset: 0 }],
        [{ owner: undefined, state: "pending", limit: 10, offset: 0 }],
      ],
      count: [
        [{ owner: undefined, state: undefined }],
        [{ owner: "apikey:7", state: undefined }],
        [{ owner: undefined, state: "failed" }],
        [{ owner: "apikey:7", state: "failed" }],
      ],
      tasks: [[["j7", "j8"], 20]],
      failures: [[["j7", "j8"], 20]],
      requeueLeft: [[]],
      waiting: [[NOW]],
      pause: [["j7", { now: NOW, until: NOW, code: "storage.unreachable", proof: [] }]],
      requeue: [["j7"]],
      next: [
        [[], NOW],
        [["j1000", "j2000"], NOW],
      ],
      take: [["j7", { now: NOW, gone, claim: leases.taking("job j7").statements }]],
      setTotals: [["j7", 1, 1]],
      beginTask: [[job, []]],
      intents: [[job]],
      recordIntents: [[job, [intent], []]],
      withdrawIntent: [[job, "p"]],
      step: [[job, { step: { ...step, failure: gone }, limit: 20, proof: [] }]],
      endTask: [[job, []]],
      end: [
        ["j7", { now: NOW, failure: undefined, proof: [], told: () => [] }],
        ["j7", { now: NOW, failure: gone, proof: [], told: (when) => queueing(message, 1000, when) }],
      ],
      cancel: [["j7", NOW]],
      removeEnded: [["j7"]],
      removeEndedBefore: [[NOW, 500]],
    }),
    ...callsOf("job counts", jobCounts(publishing), { failed: [[]], byState: [[]] }),
    ...callsOf("index changes", changeLogTable(publishing), {
      add: [[change]],
      first: [[500]],
      isEmpty: [[]],
      count: [[10_000]],
      remove: [[["c7"]]],
    }),
    ...callsOf("node changes", nodeChange, {
      insert: [[node, 1, 1]],
      move: [[node]],
      remove: [[7]],
      replace: [[2007, 200_000, { size: 1, modified: 1 }]],
      grow: [[7, growth]],
      addToFolders: [
        [1, 2007],
        [-1, 2007],
      ],
      markRemoved: [[7]],
      removeName: [[7]],
      addName: [[200_000, "name"]],
    }),
    ...callsOf("nodes", nodesTable(publishing), {
      ready: [[]],
      write: [[[]]],
      lastId: [[]],
      merge: [[8]],
      removedFolder: [[]],
      clear: [[7, 500]],
      byName: [[7, "n"]],
      byId: [[7]],
      at: [[at], [{ storage, key: "d7/" }]],
      atAll: [[[at, { storage, key: "d7/" }]]],
      byIds: [[[7, 8]]],
      upwards: [[[2007]]],
      foldersBelow: [[1, [7], 100]],
      matchingIn: [[[7, 8], ["name"], 100]],
      children: [[7, "", 500]],
      nameAfter: [[7, "", 500]],
      matchingChildren: [
        [7, "", "z", ["name"]],
        [7, "", undefined, ["name"]],
      ],
      folders: [[1, { from: "", upTo: "z", limit: 500 }]],
      roots: [[]],
      matching: (["anywhere", "beginning", "whole"] as const).flatMap((fit) => [
        [
          { grams: ["x77"], inBlocks: false, fit, words: ["name77"], storages: [1] },
          { from: 1, before: 200_000, limit: 500 },
        ] as const,
        [
          { grams: ["x77"], inBlocks: true, fit, words: ["name77"], storages: [1] },
          { from: 1, before: 200_000, limit: 500 },
        ] as const,
        [
          { grams: [], inBlocks: false, fit, words: ["name77"], storages: [1] },
          { from: 1, before: 500, limit: 500 },
        ] as const,
      ]),
      builtAt: [[storage]],
      setBuilt: [[storage, NOW]],
      forgetBuild: [[storage]],
      open: [[]],
      close: [[]],
    }),
    ...callsOf("locks", locksTable(cluster), {
      all: [[]],
      insert: [[lock, []]],
      refresh: [[lock]],
      remove: [[["t7"]]],
      removeEnded: [[]],
    }),
    ...callsOf("mounts", mountsTable(publishing), {
      all: [[]],
      insert: [[mount]],
      insertAll: [[[mount]]],
      seed: [[mount]],
      uses: [[]],
      addUses: [[new Map([["m1", NOW]])]],
      pathIsTaken: [["/m1", "m2"]],
      hasStorage: [[storage]],
      update: [["m1", { path: "/x", storage: "s2" }, NOW]],
      remove: [["m1"]],
    }),
    ...callsOf("arrivals", arrivalsTable(publishing), {
      reserve: [[arrival, receipt]],
      grow: [[arrival, 1]],
      broughtBy: [["f7", "u7"]],
      noteDigest: [["u7", "00"]],
      undigested: [
        [{ since: NOW, except: [] }, 10],
        [{ since: NOW, except: ["s"] }, 10],
      ],
      noteSha256: [["f7", "00"]],
      rename: [["f7", { path: "/p", key: "k", name: "p" }]],
      uploadSentBy: [["l7", "r7", "m100"]],
      pathOfUpload: [["u7"]],
      find: [["f7"]],
      findUpload: [["u7"]],
      settle: [[arrival, { size: 1, etag: "e" }, NOW]],
      giveBack: [[arrival, "coming"]],
      hasSuccessor: [[arrival]],
      takeBack: [["f7", NOW]],
      keep: [["f7"]],
      takenBefore: [[NOW, "", 10]],
      tellFull: [["l7", []]],
      orphans: [[NOW, "", 10]],
      forgetOld: [[NOW, NOW]],
    }),
    ...callsOf("receipts", receiptsTable(publishing), {
      find: [["r7"]],
      insert: [[receipt]],
      forgetEmpty: [["r7"]],
      files: [[["r7", "r8"], 10]],
      page: [["l7", { limit: 30, offset: 0 }]],
      count: [["l7"]],
    }),
    ...callsOf("sealedKeys", sealedKeysTable(publishing), {
      of: [["admin"]],
      insert: [[{ id: "k7", owner: "admin", recipient: "age1", passkey: "p", sealed: "s", created_at: NOW }]],
      remove: [["admin", "k7"]],
      sweep: [[]],
    }),
    ...callsOf("links", linksTable(publishing), {
      insert: [[link, [{ ...at, mount: "m1", name: "n" }]]],
      find: [["l7"]],
      close: [["l7", { reason: "link.expired", now: NOW }, []]],
      reopen: [["l7"]],
      takingFrom: [["", 10]],
      findBySlug: [["l7"]],
      slugIsFree: [["l7"]],
      findListed: [["l7", NOW]],
      page: [
        [everyLink, { limit: 30, offset: 0 }, NOW],
        [{ ...everyLink, owners: ["apikey:k1", "k1"] }, { limit: 30, offset: 30 }, NOW],
        ...linkStates.map((state) => [{ ...everyLink, state }, { limit: 30, offset: 0 }, NOW] as const),
        [{ ...everyLink, words: ["t"] }, { limit: 30, offset: 0 }, NOW],
        [{ ...everyLink, at: { storage, keys: ["", "d7/", "d7/7"] } }, { limit: 30, offset: 0 }, NOW],
      ],
      count: [
        [everyLink, NOW],
        [{ ...everyLink, owners: ["apikey:k1", "k1"] }, NOW],
      ],
      items: [[["l7", "l8"], 10, NOW]],
      update: [
        [
          link,
          { ...link, slug: "l9", version: 2 },
          [
            { ...at, mount: "m1", name: "n" },
            { ...at, mount: "m1", name: "n", id: "i7", position: 0 },
          ],
        ],
      ],
      rehash: [["l7", "h", "h2"]],
      remove: [["l7"]],
      open: [[link, NOW]],
      download: [[{ link: "l7", visitor: "v", thing: "t", until: NOW }]],
      forgetDownloads: [[NOW]],
      loseItems: [["l7", ["i7", "i8"], NOW]],
      lose: [
        [at, NOW],
        [folder, NOW],
      ],
      move: [
        [moved, NOW],
        [{ ...moved, again: true }, NOW],
        [movedFolder, NOW],
      ],
      sweep: [[1, NOW, 100]],
    }),
    ...callsOf("trash", trashTable(db), {
      insert: [[{ storage, key: "t/9" }, trashed]],
      removeAt: [[{ storage, key: "t/9" }]],
      find: [["t9"]],
      page: [
        [{ owners: undefined, base: "/", storages: undefined, limit: 50, after: undefined }, NOW],
        [
          {
            owners: ["apikey:k1", "k1"],
            base: "/m1",
            storages: ["s1", "s2"],
            limit: 50,
            after: { deleted_at: 9, id: "t9" },
          },
          NOW,
        ],
      ],
      endAll: [[{ owners: ["apikey:k1", "k1"], base: "/m1", storages: ["s1"] }, NOW]],
      end: [["t9", NOW]],
      due: [
        [NOW, 20, []],
        [NOW, 20, ["s1"]],
      ],
    }),
    ...callsOf("properties", propertiesTable(publishing), {
      any: [[]],
      anyTags: [[]],
      one: [[at, { namespace: "n", name: "m" }]],
      of: [[at]],
      inFolder: [[folder, "d7/1", "d7/9"]],
      ofEach: [["s1", ["d7/1", "d7/9"]]],
      weightsInFolder: [[folder, "d7/1", "d7/9"]],
      bytes: [
        [at, "x"],
        [folder, "x"],
      ],
      named: [
        [at, { namespace: "n", name: "m" }, ""],
        [folder, { namespace: "n", name: "m" }, "d7/1"],
      ],
      patch: [[at, [{ namespace: "n", name: "m" }], [{ namespace: "n", name: "n", value: "v" }]]],
      remove: [[at], [folder]],
      move: [
        [at, moved.to],
        [folder, movedFolder.to],
      ],
      copy: [
        [at, moved.to],
        [folder, movedFolder.to],
      ],
    }),
    ...callsOf("walked files", pagesOnly(filesTable(publishing)), {
      page: walkOf(["created", "name", "size", "expires", "views"]),
    }),
    ...callsOf("walked pastes", pagesOnly(pastesTable(publishing)), { page: walkOf(["created", "expires", "views"]) }),
    ...callsOf("files", filesTable(publishing), {
      insert: [
        [
          { ...file, id: "new", slug: "new" },
          { key: "new", digest: "d" },
        ],
      ],
      insertAll: [[[{ ...file, id: "newer", slug: "newer" }]]],
      known: [
        [
          ["f7", "f8"],
          ["s7", "s9"],
        ],
      ],
      findByRequestKey: [["k10"]],
      forgetRequestKeys: [[5]],
      find: [["s7"]],
      findBegun: [["s7"]],
      findForVisitor: [["s7", () => true]],
      findById: [["f7"]],
      findByUpload: [["u7"]],
      slugIsFree: [
        ["s7", { sealed: null }],
        ["s7", { sealed: "YWdl" }],
      ],
      settle: [["f300", head, NOW]],
      takeOver: [
        [
          { ...file, id: "f300" },
          { slug: "s7", before: file, head, now: NOW },
        ],
      ],
      spend: [[file, NOW]],
      addViews: [[new Map([["f7", 1]]), NOW]],
      page: [
        ...pagesOf(["created", "name", "size", "expires", "views"]),
        [{ owners: undefined, storage: "s9", sort: "created", order: "desc", limit: 10, offset: 0 }, NOW],
        [{ owners: undefined, isProtected: true, sort: "created", order: "desc", limit: 10, offset: 0 }, NOW],
        ...outlooks.flatMap((outlook) =>
          (["created", "views"] as const).map(
            (sort) => [{ ...found, sort, order: "desc", limit: 10, offset: 0 }, NOW, outlook] as const,
          ),
        ),
      ],
      outlook: searches.map((search) => [{ ...found, search }, NOW] as const),
      count: [
        ...filters.map((filter) => [filter, NOW] as const),
        ...outlooks.map((outlook) => [found, NOW, outlook] as const),
      ],
      countByDay: [[days]],
      countByStorage: [[]],
      update: [[{ before: file, after: file, resetViews: true }]],
      remove: [
        [file, false],
        [file, true],
      ],
      giveUp: [[file]],
      gone: [[NOW + 10, 500]],
      abandoned: [[{ before: NOW + 10, now: NOW }, 500]],
    }),
    ...callsOf("stored files", storedFilesTable(publishing), {
      fileWritten: [[at, head]],
      fileGone: [
        [at, NOW],
        [folder, NOW],
        [whole, NOW],
      ],
      fileMoved: [
        [moved, NOW],
        [{ ...moved, again: true }, NOW],
        [{ ...moved, to: { storage, key: "d7/new" } }, NOW],
        [movedFolder, NOW],
      ],
      countAt: [
        [{ places: [at, folder], owners: undefined, limit: 1000, now: NOW }],
        [{ places: [folder], owners: ["admin"], limit: 1000, now: NOW }],
      ],
      ofFile: [
        [{ place: at, owners: undefined, limit: 10, offset: 0 }],
        [{ place: at, owners: ["admin"], limit: 10, offset: 10 }],
      ],
    }),
    ...callsOf("pastes", pastesTable(publishing), {
      insert: [
        [
          {
            row: { ...paste, id: "new", slug: "new" },
            content: "",
            requestKey: undefined,
            room: [textQuotasTable(publishing).add({ name: "admin", limit: 1 }, 1)],
          },
        ],
      ],
      insertAll: [[[{ row: { ...paste, id: "newer", slug: "newer" }, content: "" }], []]],
      known: [
        [
          ["p7", "p8"],
          ["s7", "s9"],
        ],
      ],
      find: [["s7"]],
      findById: [["p7"]],
      content: [[paste]],
      lastChange: [[paste]],
      findByRequestKey: [["k10"]],
      forgetRequestKeys: [[5]],
      findForVisitor: [["s7", () => true]],
      spend: [[paste, NOW]],
      addViews: [[new Map([["p7", 1]]), NOW]],
      page: [
        ...pagesOf(["created", "expires", "views"]),
        [{ owners: undefined, isProtected: true, sort: "created", order: "desc", limit: 10, offset: 0 }, NOW],
        ...outlooks.flatMap((outlook) =>
          (["created", "views"] as const).map(
            (sort) => [{ ...found, sort, order: "desc", limit: 10, offset: 0 }, NOW, outlook] as const,
          ),
        ),
      ],
      outlook: searches.map((search) => [{ ...found, search }, NOW] as const),
      count: [
        ...filters.map((filter) => [filter, NOW] as const),
        ...outlooks.map((outlook) => [found, NOW, outlook] as const),
      ],
      countAll: [[]],
      countByDay: [[days]],
      update: [
        [
          {
            before: paste,
            after: paste,
            content: "x",
            resetViews: false,
            requestKey: { key: "k", digest: "d" },
            base: 1,
            room: [],
          },
        ],
      ],
      remove: [
        [["p7"], undefined],
        [["p7"], ["admin"]],
      ],
      removeGone: [[NOW + 10, 500]],
    }),
    ...callsOf("text quotas", textQuotasTable(publishing), {
      add: [[{ name: "admin", limit: 1 }, 1]],
      used: [["admin"]],
      largestKey: [[]],
    }),
    ...callsOf("files of visitors", visitorFilesTable(publishing), {
      usedBy: [["apikey:k7"]],
      clear: [[]],
      count: [[at, 1]],
      forget: [[at], [folder]],
      move: [[{ from: at, to: { storage, key: "k" } }]],
    }),
    ...callsOf("shares of visitors", visitorSharesTable(publishing), { count: [["apikey:k7", NOW]] }),
    ...callsOf(
      "uploads",
      uploadsTable(publishing, () => NOW),
      {
        insert: [
          [upload, { quota: 1_000_000, own: 1_000_000 }],
          [
            { ...upload, overwrites: 1 },
            { quota: null, own: null },
          ],
        ],
        find: [["u7"]],
        hasAny: [[storage, [at.key, "d8/8"]]],
        openInParts: [
          [upload, 100],
          [{ ...upload, created_by: "link:l7:v", credential: "", network: "192.0.2.1" }, 100],
          [{ ...upload, credential: VISITOR, network: "192.0.2.1" }, 100],
        ],
        findByMultipart: [[at, "m100"]],
        findOwn: [["m100", "admin"]],
        findOfLink: [["m100", "link:l7:v"]],
        handOver: [["u7", { owner: "admin", credential: "" }]],
        rename: [["u7", "k"]],
        multiparts: [
          [whole, { key: "" }, 1000],
          [{ storage, key: "d7/" }, { key: "d7/1", upload: "m7" }, 1000],
        ],
        findLatest: [[at, "admin"]],
        reserved: [
          [at, 10],
          [folder, 10],
        ],
        removeReleased: [["u1"]],
        hasBelow: [[storage, "d7"]],
        used: [[storage]],
        promised: [[storage]],
        begun: [["u100", "m"]],
        claimed: [[[]], [["s9"]]],
        claim: [["u100", "[]"]],
        addressed: [["u100", NOW, 1]],
        arrived: [["u100", NOW]],
        grow: [[{ ...upload, id: "u100" }, 1, { quota: 1_000_000, own: 1_000_000 }]],
        touch: [["u100", NOW]],
        ready: [
          [{ ...upload, id: "u100" }, 1, { quota: 1_000_000, own: 1_000_000 }],
          [{ ...upload, id: "u100", size: null }, 1, { quota: 1_000_000, own: 1_000_000 }],
        ],
        release: [["u100"]],
        releaseAbandoned: [["u100", { before: 1, now: NOW }]],
        remove: [["u100"]],
        end: [["u100", [uploadResultsTable(cluster).insertion("n", { at, head })]]],
        abandoned: [
          [{ before: NOW + 10, now: NOW, without: [] }, 500],
          [{ before: NOW + 10, now: NOW, without: ["s9"] }, 500],
        ],
      },
    ),
    ...callsOf("intents", intentsTable(cluster), {
      insert: [[{ id: "new", storage, changes: "[]", certain: 0 }]],
      all: [[[]], [["s9"]]],
      left: [[]],
      remove: [["i7"]],
      insertForAny: [[{ id: "new", storage, changes: "[]", certain: 0 }]],
      insertFor: [[{ id: "new", storage, changes: "[]", certain: 0 }, "i7"]],
      replace: [[{ id: "i7", changes: "[]" }]],
      isOwn: [["i7"]],
      take: [["i7"]],
    }),
    ...callsOf("appends", appendsTable(publishing), {
      total: [["u100", 1]],
      prove: [[[]]],
      tailUsed: [["u100", []]],
      tail: [["u100", { number: 1, size: 1 }, NOW, []]],
    }),
    ...callsOf("ended uploads", uploadResultsTable(cluster), {
      insertion: [["n", { at, head }]],
      find: [["n7"]],
      remove: [["n7"]],
      removeBefore: [[NOW - 10]],
    }),
    ...callsOf("leases", leases, {
      taking: [["job j7"]],
      take: [["a", "b"]],
      takeEvery: [["sweep", 1000]],
      wait: [[["a"]]],
      announce: [["subject", 1]],
      isAnnounced: [[["subject"]]],
      amount: [["subject"]],
      beat: [[]],
      isHeld: [],
      sweep: [[]],
    }),
    {
      by: "what servers look for",
      make: () =>
        [
          intentsTable(cluster).mayBeLeft,
          jobsTable(cluster).areOpen,
          changeLogTable(publishing).isWaiting,
          deliveriesTable(publishing).areDue(now()),
        ].map((isDue) => sql`select 1 where ${isDue}`),
    },
    {
      by: "leases.proof",
      async make() {
        const lease = await leases.take("c");
        await lease?.release();
        return lease?.proof;
      },
    },
    {
      by: "versions",
      async make() {
        const versions = await openVersions({
          db,
          notify: [],
          elapsed: () => 0,
          news: () => undefined,
          failed: () => undefined,
        });
        await versions.synced();
        await versions.publish("caches", "a");
        await versions.sweep();
      },
    },
  ];
}

const planned = { bucket: "b7", key: at.key, stamp: "7:7", known: "{}" };

/** The statements of a backup to its own temporary database, which has to have its tables. */
export const planStatements = (db: Database): Promise<readonly Asked[]> =>
  statementsOf(db, (noting) =>
    callsOf("plan", planTable(noting), {
      create: [[]],
      clear: [[]],
      add: [[[planned]]],
      after: [[planned]],
      has: [["b7", at.key, "7:7"]],
      knownOf: [["b7", [planned, { ...planned, key: "d8/8" }]]],
      noteAbsent: [[planned]],
    }),
  );

/** Every statement that the tables can ask, with the values of one call; nothing is changed by it. */
export const everyStatement = (db: Database): Promise<readonly Asked[]> => statementsOf(db, allCalls);

async function statementsOf(db: Database, calls: (noting: Database) => readonly Call[]): Promise<readonly Asked[]> {
  const { noting, asked, begin, note } = notingDatabase(db);
  for (const { by, make } of calls(noting)) {
    begin(by);
    const result = await make();
    for (const one of [result].flat()) if (isStatement(one)) note(one);
  }
  const seen = new Set<string>();
  return asked.filter(({ by, query }) => {
    const name = `${by} ${query.text}`;
    return !seen.has(name) && seen.add(name);
  });
}
