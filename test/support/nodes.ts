import type { KeyRecord } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { freePort, startNginx } from "./nginx.ts";
import { startCluster } from "./postgres/cluster.ts";
import { emptyDatabase } from "./postgres/databases.ts";
import { startServer, type TestServer } from "./server.ts";

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

/** A bucket: the S3 front of another Satchel, on a disk of its own. */
async function startBucket() {
  const server = await startServer({ adminPassword: PASSWORD, environment: { LOG_LEVEL: "warn" } });
  const address = server.address.replace("localhost", "127.0.0.1");
  const response = await fetch(`${address}/api/admin/api-keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${await tokenAt(address)}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "nodes", permissions: ALL_PERMISSIONS, expires_at: null }),
  });
  const { data } = (await response.json()) as { data: KeyRecord };
  return {
    server,
    environment: {
      S3_ENDPOINT: address,
      S3_BUCKET: "drive",
      S3_REGION: "us-east-1",
      S3_ACCESS_KEY_ID: data.s3_access_key_id,
      S3_SECRET_ACCESS_KEY: data.key,
    },
  };
}

/** Several servers on one PostgreSQL and one bucket behind nginx, as docs/operating.md sets them up. */
export async function startNodes(count: number) {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startCluster());
  const database = await emptyDatabase(postgres.url);
  const bucket = await startBucket();
  stack.use(bucket.server);
  const port = freePort();
  const origin = `https://satchel.test:${port}`;
  const ports = Array.from({ length: count }, freePort);
  const environment = {
    DATABASE_URL: database.url,
    SECRET_KEY: "a secret for tests only",
    ...bucket.environment,
    PUBLIC_URL: origin,
    TRUSTED_PROXIES: "127.0.0.1",
    METRICS_PORT: "0",
    METRICS_TOKEN,
  };
  const start = (index: number, more: Readonly<Record<string, string>> = {}): Promise<TestServer> =>
    startServer({ adminPassword: PASSWORD, environment: { ...environment, PORT: `${ports[index]}`, ...more } });
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
    /** Starts a server again that was ended, on a folder of its own. */
    async restart(index: number, more: Readonly<Record<string, string>> = {}): Promise<TestServer> {
      const node = await start(index, more);
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
