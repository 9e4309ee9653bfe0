import { describe, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { type Sql, sql } from "../../../src/database/sql.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { json, signIn } from "../../support/clients/sign-in.ts";
import { runSatchel, startServer } from "../../support/server.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

const main = [process.execPath, join(root, "src/main.ts")];

async function readyAddress(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    const found = /is ready: (http\S+)/.exec(text)?.[1];
    if (found) return found;
  }
  throw new Error(`The server did not get ready: ${text}`);
}

describe("kill -9", () => {
  test("in the middle of 200 creations, ten times: nothing acknowledged is lost and every start is clean", async () => {
    using folder = temporaryFolder();
    const acknowledged: string[] = [];
    let cut = 0;
    for (let round = 0; round < 10; round++) {
      const server = await startServer({ dataDir: folder.path });
      const token = await signIn(server.address, server.adminPassword);
      let answered = 0;
      const killed = Promise.withResolvers<void>();
      const creations = Array.from({ length: 200 }, async (_, index) => {
        const slug = `r${round}-${index}`;
        const answer = await fetch(`${server.address}/api/paste`, json({ content: `text ${slug}`, slug }, token));
        if (answer.status === 201) acknowledged.push(slug);
        answered += 1;
        if (answered === 20 + 10 * round) server.kill().then(killed.resolve, killed.reject);
      });
      const results = await Promise.allSettled(creations);
      await killed.promise;
      cut += results.filter(({ status }) => status === "rejected").length;
    }
    expect(cut).toBeGreaterThan(0);
    await using server = await startServer({ dataDir: folder.path });
    const answers = await Promise.all(
      acknowledged.map(async (slug) => (await fetch(`${server.address}/api/raw/${slug}`)).text()),
    );
    expect(answers).toEqual(acknowledged.map((slug) => `text ${slug}`));
    expect(server.stdout()).not.toContain('"level":"error"');
  });
});

describe("the process", () => {
  test("prints password and link once, and the link signs in once", async () => {
    using folder = temporaryFolder();
    const first = await startServer({ dataDir: folder.path, adminPassword: null });
    const [, token = ""] = first.stderr().match(/\/admin#setup=(\S+)/) ?? [];
    const [, password = ""] = first.stderr().match(/the password (\S+)/) ?? [];
    const use = () => fetch(`${first.address}/api/admin/sign-in-link`, json({ token }));
    expect((await use()).status).toBe(200);
    expect((await use()).status).toBe(401);
    expect(await signIn(first.address, password)).toBeString();
    expect(first.stdout()).not.toContain(password);
    expect(await first.stop()).toBe(0);
    await using second = await startServer({ dataDir: folder.path, adminPassword: null });
    expect(second.stderr()).not.toContain("setup=");
    expect(await signIn(second.address, password)).toBeString();
  });

  test("lets its administrator in from its first healthy answer on", async () => {
    using folder = temporaryFolder();
    const port = freePort();
    const environment = { PATH: process.env.PATH ?? "", DATA_DIR: folder.path, ADMIN_PASSWORD: "correct horse" };
    const child = Bun.spawn(main, { env: { ...environment, PORT: String(port) }, stdout: "ignore", stderr: "ignore" });
    const address = `http://127.0.0.1:${port}`;
    const healthy = () =>
      fetch(`${address}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(healthy, (ok) => ok);
    expect(await signIn(address, "correct horse")).toBeString();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test.each(["PORT", "METRICS_PORT"])("prints the first password also when its %s is taken", async (name) => {
    await using other = await startServer();
    using folder = temporaryFolder();
    const refused = await runSatchel([], { DATA_DIR: folder.path, PORT: "0", [name]: new URL(other.address).port });
    expect(refused.code).toBe(1);
    const [, password = ""] = refused.stderr.match(/the password (\S+)/) ?? [];
    // No link to where nothing listens, or somebody else does.
    expect(refused.stderr).not.toMatch(/setup=|https?:/);
    await using server = await startServer({ dataDir: folder.path, adminPassword: null });
    expect(await signIn(server.address, password)).toBeString();
  });

  test("says which variable it does not read, and not what is in it", async () => {
    const text = "9f2b7c61d0aa";
    await using server = await startServer({ environment: { PUBLC_URL: text, SMTP_HOST: text } });
    expect(server.stderr()).toStartWith("The variable PUBLC_URL is not read: PUBLIC_URL seems to be meant.\n");
    expect(server.stderr()).not.toContain("SMTP_HOST");
    expect(server.stderr() + server.stdout()).not.toContain(text);
    const checked = await runSatchel(["healthcheck"], { PORT: new URL(server.address).port, PUBLC_URL: text });
    expect([checked.code, checked.stderr]).toEqual([0, ""]);
  });

  test("answers at the port of its metrics whatever a Host says, and writes no fault", async () => {
    await using server = await startServer({ environment: { METRICS_PORT: "0" } });
    const [, port = ""] = /^Its metrics are at http:\S+:(\d+)\/metrics$/m.exec(server.stderr()) ?? [];
    const asked = async (host: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      let text = "";
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      );
      socket.on("data", (piece) => (text += piece)).on("close", () => resolve(text));
      socket.on("error", reject);
      return (await promise).split("\r\n")[0];
    };
    expect(await asked("127.0.0.1")).toBe("HTTP/1.1 200 OK");
    for (const host of ["[[", "a:99999", "%", ""]) expect(await asked(host)).toBe("HTTP/1.1 404 Not Found");
    expect(server.stdout() + server.stderr()).not.toContain("Invalid URL");
  });

  test("finishes running requests when it is told to stop", async () => {
    const server = await startServer();
    const token = await signIn(server.address, server.adminPassword);
    const part = (text: string) => new TextEncoder().encode(text);
    const arrived = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(part('{"content":"slow'));
        arrived.resolve();
        await rest.promise;
        controller.enqueue(part(' but whole","slug":"slow"}'));
        controller.close();
      },
    });
    const slow = fetch(`${server.address}/api/paste`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${token}` },
    });
    await arrived.promise;
    // An answer on another connection tells that the server has read on by now.
    await fetch(`${server.address}/api/health`);
    const stopped = server.stop();
    rest.resolve();
    expect((await slow).status).toBe(201);
    expect(await stopped).toBe(0);
  });

  test("`admin reset` works beside the running server and ends its sessions", async () => {
    await using server = await startServer();
    const token = await signIn(server.address, server.adminPassword);
    const reset = await runSatchel(["admin", "reset"], { DATA_DIR: server.dataDir, PUBLIC_URL: server.address });
    expect(reset.code).toBe(0);
    const check = () =>
      fetch(`${server.address}/api/test/admin-token`, { headers: { authorization: `Bearer ${token}` } });
    expect((await check()).status).toBe(401);
    const [, password = ""] = reset.stdout.match(/the password (\S+)/) ?? [];
    expect(await signIn(server.address, password)).toBeString();
    expect(reset.stdout).toContain(`${server.address}/admin#setup=`);
    const behind = { DATA_DIR: server.dataDir, SOCKET: "/run/satchel.sock", BASE_PATH: "/share" };
    expect((await runSatchel(["admin", "reset"], behind)).stdout).toMatch(
      /: \/share\/admin#setup=.*address of your proxy/s,
    );
  });

  test("`admin reset` leaves the index of names as it is, beside a running server and without one", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "satchel.db");
    const index = async (change?: Sql) => {
      const db = openSqlite({ file, synchronous: "NORMAL" });
      if (change) await db.run(change);
      const left = {
        built: (await db.all<{ built_at: number }>(sql`select built_at from search_builds`)).map((row) => row.built_at),
        open: (await db.all(sql`select mark from search_open`)).length,
      };
      await db.close();
      return left;
    };
    const environment = { DATA_DIR: folder.path };
    {
      await using _server = await startServer({ dataDir: folder.path });
      await index(sql`insert into search_builds (storage, built_at) values ('s', 5)`);
      expect((await runSatchel(["admin", "reset"], environment)).code).toBe(0);
      expect(await index()).toMatchObject({ built: expect.arrayContaining([5]), open: 1 });
    }
    expect((await runSatchel(["admin", "reset"], environment)).code).toBe(0);
    expect(await index()).toMatchObject({ built: expect.arrayContaining([5]), open: 0 });
  });

  test("a second server on the same folder, and a wrong secret, are refused in one sentence", async () => {
    await using server = await startServer();
    const environment = { DATA_DIR: server.dataDir, PORT: "0" };
    const second = await runSatchel([], environment);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toContain("Another Satchel is running");
    await using other = await startServer();
    const port = new URL(other.address).port;
    using folder = temporaryFolder();
    const third = await runSatchel([], { DATA_DIR: folder.path, PORT: port });
    expect(third).toMatchObject({ code: 1 });
    expect(third.stderr).toContain("port");
    const nowhere = await runSatchel(["admin", "reset"], { DATA_DIR: `${folder.path}/mistyped` });
    expect(nowhere.stderr).toContain("There is no Satchel in");
    const wrong = await runSatchel(["admin", "reset"], { ...environment, SECRET_KEY: "not the secret of this folder" });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("secret key");
    expect(wrong.stderr).not.toMatch(/\n\s+at /);
  });

  test("keeps its files to itself and outlives whoever reads its log", async () => {
    await using server = await startServer();
    for (const name of ["satchel.db", "satchel.db-wal", "secret.key"]) {
      expect((await stat(join(server.dataDir, name))).mode & 0o077).toBe(0);
    }
    const environment = { PATH: process.env.PATH ?? "", DATA_DIR: join(server.dataDir, "piped"), PORT: "0" };
    const piped = Bun.spawn(main, {
      env: { ...environment, ADMIN_PASSWORD: "correct horse" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const address = await readyAddress(piped.stderr);
    await piped.stdout.cancel();
    // More lines than the log holds back.
    for (let index = 0; index < 600; index++) expect((await fetch(`${address}/api/health`)).status).toBe(200);
    piped.kill("SIGTERM");
    expect(await piped.exited).toBe(0);
  });

  test("tells its version, its help, and everything that is wrong with its environment", async () => {
    expect((await runSatchel(["--version"], {})).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runSatchel(["--help"], {})).stdout).toContain("satchel admin reset");
    const bad = await runSatchel([], { PORT: "many", LOG_LEVEL: "loud" });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain("PORT");
    expect(bad.stderr).toContain("LOG_LEVEL");
  });
});
