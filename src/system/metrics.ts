import { version } from "../../package.json";
import { type Log, unforeseen } from "../lib/log.ts";
import { createRegistry } from "../lib/prometheus.ts";

/** The front that answered a request: `preflight` are those of CORS, `none` those that could not be read. */
export type Front =
  | "rest"
  | "dav"
  | "s3"
  | "mcp"
  | "inbound"
  | "drop"
  | "resumable"
  | "terminal"
  | "moved"
  | "site"
  | "metrics"
  | "preflight"
  | "none";

/** A request that was answered. */
interface Answered {
  readonly front: Front;
  readonly status: number;
  /** From its arrival to the head of its answer. */
  readonly milliseconds: number;
}

/** Numbers that are read when somebody asks for all of them. */
interface Gauges {
  /** How many jobs there are of each state, on whichever server. */
  readonly jobs: () => Promise<ReadonlyMap<string, number>>;
  /** Changes that the index of names does not have yet. */
  readonly waiting: () => Promise<number>;
}

/** What is told of backups. Times are epoch milliseconds. */
interface BackupNumbers {
  readonly enabled: boolean;
  readonly runningSince: number | undefined;
  readonly problem: string | null;
  readonly whole: { readonly began: number; readonly ended: number; readonly size: number } | undefined;
}

/** Seconds: from an answer out of memory to one that a storage far away is waited for. */
const REQUEST_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DATABASE_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * What this server has done since it started. No label has values that a caller chooses: no path, no slug, no address.
 */
export function createMetrics(log: Log) {
  const registry = createRegistry();
  const named = (name: string, help: string) => ({ name: `satchel_${name}`, help });

  const requests = registry.counter<[Front, string]>(named("requests_total", "Requests that were answered."), [
    "front",
    "status",
  ]);
  const seconds = registry.histogram<[Front]>(
    named("request_seconds", "Time from the arrival of a request to the head of its answer."),
    ["front"],
    REQUEST_BOUNDS,
  );
  const received = registry.counter<[Front]>(named("received_bytes_total", "Bytes of bodies that were read."), [
    "front",
  ]);
  const sent = registry.counter<[Front]>(named("sent_bytes_total", "Bytes of bodies that were answered."), ["front"]);
  const views = registry.counter<[string]>(named("views_total", "Views that were spent on shares."), ["kind"]);
  const storageErrors = registry.counter<[string]>(
    named(
      "storage_errors_total",
      "Requests that storages elsewhere did not answer, or answered with a fault of theirs.",
    ),
    ["kind"],
  );
  const statements = registry.histogram<[string]>(
    named("database_seconds", "Time of statements, with their wait for a connection."),
    ["call"],
    DATABASE_BOUNDS,
  );
  const databaseErrors = registry.counter<[string]>(named("database_errors_total", "Statements that failed."), [
    "call",
  ]);
  registry.gauge(named("info", "What runs here."), async () => new Map([[version, 1]]), "version");
  registry.gauge(named("memory_bytes", "Memory of the process."), () => process.memoryUsage.rss());
  registry.gauge(named("uptime_seconds", "Time since the process started."), () => process.uptime());

  return {
    answered({ front, status, milliseconds }: Answered): void {
      requests.add(1, front, `${Math.floor(status / 100)}xx`);
      seconds.observe(milliseconds / 1000, front);
    },
    reading: (front: Front) => (bytes: number) => received.add(bytes, front),
    sending: (front: Front) => (bytes: number) => sent.add(bytes, front),
    spent: ({ kind }: { readonly kind: "paste" | "file" }) => views.add(1, kind),
    storageFailed: (kind: "unreachable" | "fault") => storageErrors.add(1, kind),
    statement(call: string, milliseconds: number, failed: boolean): void {
      statements.observe(milliseconds / 1000, call);
      if (failed) databaseErrors.add(1, call);
    },
    watch({ jobs, waiting }: Gauges): void {
      registry.gauge(named("jobs", "Jobs of all servers."), jobs, "state");
      registry.gauge(named("index_changes_waiting", "Changes that the index of names does not have yet."), waiting);
    },
    watchReplica: (replica: ReplicaNumbers) => watchReplica(registry, replica),
    watchBackups: (status: () => Promise<BackupNumbers>) => watchBackups(registry, status),
    text: () => registry.text((error) => log.warn("a metric was not read", unforeseen(error))),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** What is told of a replica of the database. */
interface ReplicaNumbers {
  readonly state: () => Promise<{ readonly isCurrent: boolean }>;
  readonly counts: Readonly<Record<string, number>>;
}

/** Tells whether a replica has what it needs, and how much it has answered. */
function watchReplica(registry: ReturnType<typeof createRegistry>, { state, counts }: ReplicaNumbers): void {
  const current = "Whether the replica of the database has everything that the primary has, so that it is read.";
  registry.gauge({ name: "satchel_replica_current", help: current }, async () => Number((await state()).isCurrent));
  const reads = "Statements that a replica may answer, by who answered them.";
  registry.total(
    { name: "satchel_replica_statements_total", help: reads },
    async () => new Map(Object.entries(counts)),
    "source",
  );
}

/** Tells what became of backups, which all servers know alike. */
function watchBackups(registry: ReturnType<typeof createRegistry>, status: () => Promise<BackupNumbers>): void {
  const gauge = (name: string, help: string, read: (now: BackupNumbers) => number) =>
    registry.gauge({ name: `satchel_backup_${name}`, help }, async () => read(await status()));
  gauge("enabled", "Whether the timetable makes backups.", ({ enabled }) => Number(enabled));
  gauge("running", "Whether a backup runs.", ({ runningSince }) => Number(runningSince !== undefined));
  gauge("failed", "Whether the last backup failed, or none became whole for two intervals.", ({ problem }) =>
    Number(problem !== null),
  );
  gauge("last_success_timestamp_seconds", "When the last whole backup ended; 0 for none.", ({ whole }) =>
    whole ? whole.ended / 1000 : 0,
  );
  gauge("last_duration_seconds", "How long the last whole backup took.", ({ whole }) =>
    whole ? (whole.ended - whole.began) / 1000 : 0,
  );
  gauge("last_size_bytes", "The archive of the last whole backup.", ({ whole }) => whole?.size ?? 0);
}
