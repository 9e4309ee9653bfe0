import { expect, test } from "bun:test";
import { connect } from "node:net";
import { signIn } from "../support/clients/sign-in.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { emptyDatabase } from "../support/postgres/databases.ts";
import { SHARED } from "../support/postgres/shared.ts";
import { startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** Servers that stand still for a while, as machines do that are moved or have no memory left. */

const server = await cluster();
const PASSWORD = "correct horse battery";

const sent = (method: string, body: unknown, token?: string): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
});

/** Sends a request as a whole, and gives up on its answer. */
function sendAndLeave(address: string, path: string, { method, body, headers }: RequestInit): Promise<void> {
  const { hostname, port } = new URL(address);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    "content-length": `${String(body).length}`,
    ...(headers as object),
  });
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname);
  socket.on("error", reject).on("finish", () => {
    socket.destroy();
    resolve();
  });
  socket.end(`${head}\r\n\r\n${body}`);
  return promise;
}

test("an edit whose client gave up at a server that stood still does not overwrite a later one", async () => {
  await using database = await emptyDatabase(server);
  const start = () => startServer({ adminPassword: PASSWORD, environment: { DATABASE_URL: database.url, ...SHARED } });
  await using still = await start();
  await using other = await start();
  const token = await signIn(other.address, PASSWORD);
  const made = await fetch(`${other.address}/api/paste`, sent("POST", { slug: "text", content: "first" }, token));
  expect(made.status).toBe(201);

  process.kill(still.pid, "SIGSTOP");
  await sendAndLeave(still.address, "/api/pastes/text", sent("PUT", { content: "given up" }, token));
  const later = await fetch(`${other.address}/api/pastes/text`, sent("PUT", { content: "later" }, token));
  expect(later.status).toBe(200);
  process.kill(still.pid, "SIGCONT");
  await until(
    () => still.stdout(),
    (log) => log.includes('"PUT"'),
  );
  expect(await (await fetch(`${other.address}/api/raw/text`)).text()).toBe("later");
});
