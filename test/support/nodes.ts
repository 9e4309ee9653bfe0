import { freePort } from "./free-port.ts";
import { startNginx } from "./nginx.ts";
import { startCluster } from "./postgres/cluster.ts";
import { emptyDatabase } from "./postgres/databases.ts";
import { openS3Store } from "./s3-store.ts";
import { type ServerOptions, startServer, type TestServer } from "./server.ts";

const PASSWORD = "correct horse battery";
const METRICS_TOKEN = "a token for tests only";

/** Signs in at an address. */
async function tokenAt(address: string): Promise<string> {
  const response = await fetch(`${address}/api/admin/login`, {
    method: "POST",
    body: JSON.stringify({ username: "admin", password: PASSWORD }),
    tls: { rejectUnauthorized: false },
  });
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}

/** Several servers on one PostgreSQL and one bucket of a real S3 server behind nginx with the configuration of deploy/. */
export async function startNodes(count: number, settings: Readonly<Record<string, string>> = {}) {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startCluster());
  const database = await emptyDatabase(postgres.url);
  const { bucket, server } = stack.use(await openS3Store());
  const port = freePort();
  const origin = `https://satchel.test:${port}`;
  const ports = Array.from({ length: count }, freePort);
  const environment = {
    DATABASE_URL: database.url,
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
  const start = (index: number, more: Readonly<Record<string, string>> = {}, command?: ServerOptions["command"]) =>
    startServer({
      adminPassword: PASSWORD,
      environment: { ...environment, PORT: `${ports[index]}`, ...more },
      ...(command && { command }),
    });
  // All at once, on an empty database.
  const nodes = await Promise.all(ports.map((_, index) => start(index)));
  stack.defer(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
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
  const token = await tokenAt(`http://127.0.0.1:${ports[0]}`);
  const moved = stack.move();

  return {
    postgres,
    database: database.url,
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
