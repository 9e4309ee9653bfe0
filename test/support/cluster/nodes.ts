import { signIn } from "../clients/sign-in.ts";
import { type Cluster, startCluster } from "../postgres/cluster.ts";
import { emptyDatabase } from "../postgres/databases.ts";
import { type ServerOptions, startServer, type TestServer } from "../server.ts";
import { freePort } from "../servers/free-port.ts";
import { startNginx } from "../servers/nginx.ts";
import { openS3Store } from "../stores/s3-store.ts";

const PASSWORD = "correct horse battery";
const METRICS_TOKEN = "a token for tests only";

/** Settings of servers, and by which address a test itself asks their database; both end with the servers. */
interface Ground extends AsyncDisposable {
  readonly settings: Readonly<Record<string, string>>;
  readonly database: string;
}

/** One PostgreSQL, which goes with the servers. */
export async function onePostgres(settings: Readonly<Record<string, string>>, given?: Cluster): Promise<Ground> {
  const postgres = given ?? (await startCluster());
  const database = (await emptyDatabase(postgres.url)).url;
  const close = () => postgres[Symbol.asyncDispose]();
  return { settings: { DATABASE_URL: database, ...settings }, database, [Symbol.asyncDispose]: close };
}

/**
 * Several servers on one database and one bucket of a real S3 server behind nginx with the configuration of deploy/: on a PostgreSQL of their own,
 * with these settings, unless they are given one.
 */
export async function startNodes(count: number, on: Readonly<Record<string, string>> | (() => Promise<Ground>) = {}) {
  await using stack = new AsyncDisposableStack();
  const [ground, store] = await Promise.all([typeof on === "function" ? on() : onePostgres(on), openS3Store()]);
  const { settings, database } = stack.use(ground);
  const { bucket, server } = stack.use(store);
  const port = freePort();
  const origin = `https://satchel.test:${port}`;
  const ports = Array.from({ length: count }, freePort);
  const environment = {
    SECRET_KEY: "a secret for tests only",
    S3_ENDPOINT: server.endpoint,
    S3_BUCKET: bucket,
    S3_REGION: "us-east-1",
    S3_ACCESS_KEY_ID: server.accessKey,
    S3_SECRET_ACCESS_KEY: server.secret,
    PUBLIC_URL: origin,
    TRUSTED_PROXIES: "127.0.0.1",
    METRICS_PORT: "0",
    METRICS_TOKEN,
    ...settings,
  };
  /** Those too in whose place another one was started. */
  const started: TestServer[] = [];
  const start = async (
    index: number,
    more: Readonly<Record<string, string>> = {},
    command?: ServerOptions["command"],
  ): Promise<TestServer> => {
    const node = await startServer({
      adminPassword: PASSWORD,
      environment: { ...environment, PORT: `${ports[index]}`, ...more },
      ...(command && { command }),
    });
    started.push(node);
    return node;
  };
  // All at once, on an empty database.
  const nodes = await Promise.all(ports.map((_, index) => start(index)));
  stack.defer(async () => {
    await Promise.all(started.map((node) => node.kill()));
  });
  const nginx = stack.use(
    await startNginx(
      port,
      ports.map((one) => `127.0.0.1:${one}`),
    ),
  );
  /** As a client of the balancer asks. */
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`https://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { host: `satchel.test:${port}`, ...(init.headers as Record<string, string>) },
      tls: { rejectUnauthorized: false },
    });
  const token = await signIn(`http://127.0.0.1:${ports[0]}`, PASSWORD);
  const moved = stack.move();

  return {
    database,
    bucket,
    nginx,
    nodes,
    ask,
    /** As the administrator. */
    call: (path: string, init: RequestInit = {}): Promise<Response> =>
      ask(path, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
      }),
    at: (index: number): string => `http://127.0.0.1:${ports[index]}`,
    /** Starts a server again that was ended, on a folder of its own; `command` is that of another version. */
    async restart(...[index, ...how]: Parameters<typeof start>): Promise<TestServer> {
      const node = await start(index, ...how);
      nodes[index] = node;
      return node;
    },
    /** What a server has counted. */
    async metrics(index: number): Promise<string> {
      const [, address] = /^Its metrics are at (\S+)$/m.exec(nodes[index]?.stderr() ?? "") ?? [];
      const response = await fetch(address ?? "", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
      return await response.text();
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

export type Nodes = Awaited<ReturnType<typeof startNodes>>;
