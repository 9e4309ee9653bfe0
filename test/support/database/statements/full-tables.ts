import type { Database } from "../../../../src/database/database.ts";
import { plainSql } from "../../../../src/database/sql.ts";

/**
 * Rows of each table that grows: so many that PostgreSQL prefers an index to a scan wherever there is one. SQLite's plans are the same
 * for any number, because the server never lets it analyze.
 */
export const ROWS = 20_000;

/** Rows of tables that are bounded: sessions (1,000), locks, keys with texts. */
const FEW = 100;

/** Fills a table with one statement: the columns and what each is made of, where `i` counts rows from 1. */
const many = (table: string, columns: Readonly<Record<string, string>>, rows = ROWS): string =>
  `insert into ${table} (${Object.keys(columns).join(", ")})
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
    select ${Object.values(columns).join(", ")} from n`;

const times = { created_at: "i", updated_at: "i" };

/** One storage, one folder in a thousand, one owner: what most rows have in common leads to none of them. */
const statements: readonly string[] = [
  many(
    "storage_configs",
    {
      id: "'s' || i",
      name: "'s' || i",
      provider_type: "'Other'",
      endpoint_url: "'https://s3.test'",
      bucket_name: "'b' || i",
      default_folder: "''",
      is_public: "1",
      is_default: "case when i = 1 then 1 else 0 end",
      signature_expires_in: "3600",
      ...times,
    },
    10,
  ),
  many(
    "mounts",
    {
      id: "'m' || i",
      name: "'m' || i",
      path: "'/m' || i",
      storage: "'s' || i",
      is_active: "1",
      sort_order: "0",
      cache_ttl: "0",
      web_proxy: "0",
      webdav_policy: "'native_proxy'",
      enable_sign: "0",
      created_by: "'admin'",
      ...times,
    },
    10,
  ),
  many(
    "webhooks",
    {
      ...{ id: "'w' || i", name: "'n'", kind: "'standard'", language: "'en'", host: "'h'", sealed_address: "'a'" },
      ...{ enabled: "1", failures: "0", paused_until: "0", dropped: "0", ...times },
    },
    20,
  ),
  many("webhook_events", { event: "'e' || (i % 9)", webhook: "'w' || (i / 9)" }, FEW),
  many("webhook_deliveries", {
    ...{ id: "'msg_' || i", webhook: "'w' || (i % 20)", event: "'job.failed'", body: "'{}'", at: "i" },
    ...{ state: "case when i % 20 = 7 then 'waiting' else 'delivered' end", attempts: "1", due_at: "i" },
    ended_at: "case when i % 20 <> 7 then i end",
  }),
  many("sign_in_links", { token_hash: "'t' || i", expires_at: "i" }, FEW),
  many(
    "sessions",
    {
      id: "'n' || i",
      created_at: "i",
      used_at: "i",
      expires_at: "i",
      address: "'a'",
      user_agent: "'u'",
    },
    FEW,
  ),
  many("pastes", {
    id: "'p' || i",
    slug: "'s' || i",
    remark: "'remark ' || i",
    preview: "'preview of text ' || i",
    size: "100",
    expires_at: "case when i % 2 = 0 then 1000000 + i end",
    max_views: "0",
    spent_at: "case when i % 10 = 1 then 1000000 + i end",
    version: "1",
    created_by: "'admin'",
    request_key: "case when i % 10 = 0 then 'k' || i end",
    quota: "'admin'",
    ...times,
  }),
  "insert into paste_texts (paste, content) select number, 'text' from pastes",
  many("text_quotas", { quota: "'apikey:' || i", bytes: "1" }, FEW),
  many("disk_attributes", {
    bucket: "'b1'",
    key: "'d' || (i % 1000) || '/' || i",
    stamp: "'1'",
    content_type: "'t'",
    etag: "'e'",
  }),
  many("disk_multiparts", {
    id: "'u' || i",
    bucket: "'b1'",
    key: "'d' || (i % 1000) || '/' || i",
    content_type: "'t'",
    created_at: "i",
  }),
  many("disk_parts", {
    multipart: "'u' || i",
    number: "1",
    etag: "'e'",
    size: "1",
    file: "'f'",
    start: "0",
  }),
  many("uploads", {
    id: "'u' || i",
    storage: "'s1'",
    key: "'d' || (i % 1000) || '/' || i",
    content_type: "'t'",
    size: "1",
    state: "case when i % 100 = 0 then 'pending' when i % 100 = 1 then 'removing' else 'ready' end",
    multipart: "case when i % 100 = 0 then 'm' || i end",
    created_by: "'admin'",
    touched_at: "1000000 + i",
    overwrites: "case when i % 200 = 0 then 1 else 0 end",
    created_at: "i",
  }),
  many("files", {
    id: "'f' || i",
    slug: "'s' || i",
    filename: "'name ' || i",
    storage: "'s1'",
    key: "'d' || (i % 1000) || '/' || i",
    upload: "case when i % 3 = 0 then 'u' || i end",
    pending: "case when i % 300 = 0 then 1 else 0 end",
    content_type: "'t'",
    size: "i",
    remark: "'remark ' || i",
    expires_at: "case when i % 2 = 0 then 1000000 + i end",
    max_views: "0",
    spent_at: "case when i % 10 = 1 then 1000000 + i end",
    use_proxy: "0",
    version: "1",
    created_by: "'admin'",
    request_key: "case when i % 10 = 0 then 'k' || i end",
    ...times,
  }),
  many("activity", {
    kind: "case i % 3 when 0 then 'paste' when 1 then 'file' else 'link' end",
    subject: "'p' || (i % 1000)",
    at: "i",
    id: "'a' || i",
    event: "'opened'",
    outcome: "'whole'",
    name: "''",
    network: "'192.0.2.0/24'",
    program: "'curl'",
    times: "1",
  }),
  many("audit", {
    at: "i",
    action: "case when i % 2 = 0 then 'login.done' else 'login.failed' end",
    actor: "'a'",
    address: "'a'",
    fields: "'[]'",
  }),
  many("removed_folders", { folder: "i" }, FEW),
  many("jobs", {
    id: "'j' || i",
    owner: "'apikey:' || (i % 1000)",
    state:
      "case when i % 1000 = 1 then 'running' when i % 1000 = 0 then 'pending' when i % 100 = 2 then 'failed' else 'completed' end",
    task_count: "1",
    done_files: "1",
    skipped_files: "0",
    failed_files: "0",
    done_bytes: "1",
    created_at: "i",
    started_at: "case when i % 1000 <> 0 then i end",
    finished_at: "case when i % 1000 > 1 then 1000000 + i end",
  }),
  many("job_tasks", {
    job: "'j' || i",
    position: "0",
    state: "'completed'",
    done: "1",
    skipped: "0",
    failed: "0",
    kind: "'delete'",
    skip_existing: "0",
    source: "'/m1/a'",
  }),
  many("job_failures", { job: "'j' || i", position: "0", path: "'p'", error: "'e'", error_details: "'{}'" }),
  many("job_intents", { job: "'j' || i", position: "0", path: "'p'", files: "1", bytes: "1", whole: "1" }),
  many("nodes", {
    id: "i",
    storage: "1",
    parent: "case when i = 1 then 0 when i <= 1001 then 1 else 2 + i % 1000 end",
    name: "case when i = 1 then 's1' when i <= 1001 then 'd' || i || '/' else 'name' || i end",
    folded: "'name' || i",
    size: "1",
    files: "1",
    modified: "case when i > 1001 then i end",
  }),
  "insert into node_grams (rowid, grams) select id, 'nam ame x' || (id % 1000) || ' t' || (id / 16384) from nodes",
  many("change_intents", { id: "'i' || i", storage: "'s1'", changes: "'[]'", certain: "0", holder: "'dead'" }, 10),
  many("dav_properties", {
    storage: "'s1'",
    key: "'d' || (i % 1000) || '/' || i",
    folder: "'d' || (i % 1000) || '/'",
    namespace: "'n'",
    name: "'n'",
    value: "'v'",
  }),
  many(
    "dav_locks",
    {
      token: "'t' || i",
      path: "'/m1/' || i",
      deep: "0",
      shared: "0",
      holder: "'admin'",
      owner: "''",
      life: "1000",
      until: "i",
    },
    FEW,
  ),
  many("leases", {
    name: "case when i % 2 = 0 then 'job j' || i else 'lease ' || i end",
    subject: "'b' || i",
    holder: "'h' || (i % 1000)",
    until: "i",
  }),
  "insert into change_version (id, version) values (1, 1000000)",
  many("changes", { topic: "'objects'", subject: "'b' || i", version: "900000 + i" }),
  many("guesses", { name: "'g' || i", misses: "1", checking: "0", ends_at: "1000000 + i" }),
  many("known_addresses", { name: "'a' || i", used_at: "1000000 + i" }),
  many("index_changes", { id: "'c' || i", version: "i", change: "'{}'" }),
  many("ended_uploads", { name: "'n' || i", result: "'{}'", ended_at: "1000000 + i" }),
];

/** Fills every table that grows with use. Tables of what administrators make (storages, mounts, keys, settings) have ten rows. */
export async function fillTables(db: Database): Promise<void> {
  await db.batch(statements.map((text) => plainSql(text)));
}
