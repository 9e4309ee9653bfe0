import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { connect as connectSecurely } from "node:tls";
import { startServer, type TestServer } from "../support/server.ts";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const fixture = (name: string): string => join(root, "test/support/files/tls", name);

/** Runs a command of the same program with the settings of a server. */
async function run(command: string, environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), command], {
    env: { PATH: process.env.PATH ?? "", ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  return { code: await child.exited, said: said.trim() };
}

/** The name in the certificate that a server shows. */
function shownBy({ address }: TestServer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { port: Number(new URL(address).port), host: "127.0.0.1", rejectUnauthorized: false };
  const socket = connectSecurely(options, () => {
    resolve(`${socket.getPeerCertificate().subject.CN}`);
    socket.destroy();
  });
  socket.on("error", reject);
  return promise;
}

describe("a server with a certificate", () => {
  test("speaks https, says so in what it links, and takes a renewed certificate without a restart", async () => {
    using folder = temporaryFolder();
    const [cert, key] = [join(folder.path, "tls.pem"), join(folder.path, "tls.key")];
    const use = (name: string) => {
      copyFileSync(fixture(`${name}.key`), key);
      copyFileSync(fixture(`${name}.pem`), cert);
    };
    use("one");
    await using server = await startServer({ environment: { TLS_CERT_FILE: cert, TLS_KEY_FILE: key } });
    expect(server.address).toStartWith("https://localhost:");
    const tls = { rejectUnauthorized: false };
    const answer = await fetch(`${server.address}/api/health`, { tls });
    expect(answer.status).toBe(200);
    // Of this port alone browsers must not conclude anything for the whole host.
    expect(answer.headers.has("strict-transport-security")).toBe(false);
    const port = new URL(server.address).port;
    expect(await run("healthcheck", { PORT: port, TLS_CERT_FILE: cert, TLS_KEY_FILE: key })).toEqual({
      code: 0,
      said: "",
    });
    expect(await shownBy(server)).toBe("one.example");

    // Half of a renewal changes nothing.
    copyFileSync(fixture("other.pem"), cert);
    await until(
      () => server.stdout(),
      (log) => log.includes("the new certificate cannot be used"),
    );
    expect(await shownBy(server)).toBe("one.example");
    // Nor does one of which the system cannot even say whether it is there.
    const before = server.stdout().length;
    rmSync(key);
    symlinkSync(key, key);
    await until(
      () => server.stdout().slice(before) + server.stderr(),
      (log) => log.includes("ELOOP"),
    );
    expect(await shownBy(server)).toBe("one.example");
    rmSync(key);
    use("other");
    await until(
      // A handshake that is under way at the moment of the change is cut; a refused connection would be a fault.
      () =>
        shownBy(server).catch((error: NodeJS.ErrnoException) =>
          error.code === "ECONNRESET" ? "" : Promise.reject(error),
        ),
      (name) => name === "other.example",
    );
    expect((await fetch(`${server.address}/api/health`, { tls, keepalive: false })).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  test("does not start with files that are missing or do not belong together", async () => {
    const start = (name: string, other: string) =>
      startServer({ environment: { TLS_CERT_FILE: fixture(name), TLS_KEY_FILE: fixture(other) } }).then(
        () => "started",
        (error: Error) => error.message,
      );
    expect(await start("none.pem", "one.key")).toContain("TLS_CERT_FILE names a file that cannot be used");
    expect(await start("one.pem", "other.key")).toContain("TLS_CERT_FILE and TLS_KEY_FILE cannot be used together");
  });
});

describe("a server at a unix socket", () => {
  const ask = (socket: string, init: RequestInit = {}) =>
    fetch("http://satchel.test/api/version", { ...init, unix: socket } as RequestInit);

  test("answers there alone, for its owner and group, and trusts a proxy of this machine where it may", async () => {
    using folder = temporaryFolder();
    const socket = join(folder.path, "satchel.sock");
    const environment = { SOCKET: socket, TRUSTED_PROXIES: "127.0.0.1" };
    await using server = await startServer({ environment });
    expect(server.address).toBe(`unix:${socket}`);
    expect(statSync(socket).mode & 0o777).toBe(0o660);
    const headers = { "x-forwarded-for": "192.0.2.7" };
    expect((await ask(socket, { headers })).status).toBe(200);
    expect(await run("healthcheck", { SOCKET: socket })).toEqual({ code: 0, said: "" });
    await until(
      () => server.stdout(),
      (log) => log.includes('"address":"192.0.2.7"'),
    );
    expect(await server.stop()).toBe(0);
    expect(existsSync(socket)).toBe(false);
    expect((await run("healthcheck", { SOCKET: socket })).said).toStartWith(`Nothing answers at ${socket}`);
  });

  test("takes the place of a socket that a killed one has left, and of nothing else", async () => {
    using folder = temporaryFolder();
    const socket = join(folder.path, "satchel.sock");
    const killed = await startServer({ environment: { SOCKET: socket } });
    const refusal = (at: string) =>
      startServer({ environment: { SOCKET: at } }).then(
        () => "started",
        (error: Error) => error.message,
      );
    expect(await refusal(socket)).toContain(`Another server listens at ${socket}`);
    await killed.kill();
    expect(existsSync(socket)).toBe(true);
    {
      await using next = await startServer({ environment: { SOCKET: socket } });
      expect((await ask(socket)).status).toBe(200);
      expect(await next.stop()).toBe(0);
    }
    const file = join(folder.path, "kept.txt");
    writeFileSync(file, "kept");
    symlinkSync(file, join(folder.path, "link"));
    for (const one of [file, join(folder.path, "link")]) expect(await refusal(one)).toContain(one);
    expect(await Bun.file(file).text()).toBe("kept");
  });
});

test("a server that cannot listen says what keeps it from that, and what to do", async () => {
  using folder = temporaryFolder();
  using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const taken = `${other.port}`;
  const refusal = (environment: Readonly<Record<string, string>>): Promise<string> =>
    startServer({ environment }).then(
      () => "started",
      (error: Error) => error.message,
    );
  const nowhere = "which is no address of this machine. 127.0.0.1 is for this machine alone";
  const missing = join(folder.path, "missing");
  const cases: readonly (readonly [environment: Readonly<Record<string, string>>, says: string])[] = [
    [
      { PORT: taken },
      `Another program listens at port ${taken} of 127.0.0.1. End it, or choose another port (--port or PORT).`,
    ],
    [
      { METRICS_PORT: taken },
      `Another program listens at port ${taken} of 127.0.0.1. End it, or choose another port (METRICS_PORT).`,
    ],
    [{ HOST: "192.0.2.7" }, `HOST (--host) is 192.0.2.7, ${nowhere}`],
    [{ HOST: "no-such-host.invalid" }, `HOST (--host) is no-such-host.invalid, ${nowhere}`],
    [{ METRICS_PORT: "0", METRICS_HOST: "192.0.2.7" }, `METRICS_HOST is 192.0.2.7, ${nowhere}`],
    [{ SOCKET: join(missing, "a.sock") }, `${missing} is not there. Make that folder first.`],
    [{ SOCKET: join(folder.path, "a".repeat(120)) }, "Choose a shorter path."],
  ];
  for (const [environment, says] of cases) expect(await refusal(environment)).toContain(says);

  const file = join(folder.path, "file");
  writeFileSync(file, "kept");
  for (const at of [file, join(file, "below")])
    expect(await refusal({ DATA_DIR: at })).toContain(
      `The data folder cannot be used. ${file} is not a folder. Name another with --data or DATA_DIR.`,
    );
});

test("the health check tells a server that is not ready, one that is no Satchel, and nobody", async () => {
  let answer = new Response("", { status: 200 });
  using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer });
  const PORT = `${other.port}`;
  answer = Response.json({ ready: false, failing: ["database", "clock"] }, { status: 503 });
  expect(await run("healthcheck", { PORT })).toEqual({ code: 1, said: "The server is not ready: database, clock." });
  answer = new Response("no", { status: 404 });
  expect((await run("healthcheck", { PORT })).said).toBe("The answer was 404, as of no Satchel.");
  expect((await run("healthcheck", { PORT: "0" })).said).toBe("PORT is 0, so nobody knows where it listens.");
  const free = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  free.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = free.address() as { port: number };
  free.close();
  const nobody = await run("healthcheck", { PORT: `${port}`, http_proxy: `http://127.0.0.1:${PORT}` });
  expect(nobody.said).toStartWith(`Nothing answers at 127.0.0.1:${port}`);
});
