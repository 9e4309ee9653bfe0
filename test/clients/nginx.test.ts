import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { startServer } from "../support/server.ts";
import { freePort } from "../support/servers/free-port.ts";
import { startNginx } from "../support/servers/nginx.ts";
import { until } from "../support/until.ts";

/** Satchel behind nginx of Debian's packages, with the configuration of deploy/. */

const port = freePort();
const origin = `https://satchel.test:${port}`;
const upstream = freePort();
const server = await startServer({
  environment: { PORT: String(upstream), TRUSTED_PROXIES: "127.0.0.1", PUBLIC_URL: origin },
});
const nginx = await startNginx(port, `http://127.0.0.1:${upstream}`);
afterAll(async () => {
  await nginx[Symbol.asyncDispose]();
  await server.stop();
});

/** Runs curl as a client with an address of its own; answers what it printed. */
async function curl(args: readonly string[], from = "127.0.0.5"): Promise<string> {
  const common = ["-sSk", "--max-time", "60", "--interface", from, "--resolve", `satchel.test:${port}:127.0.0.1`];
  const child = Bun.spawn(["curl", ...common, ...args], { stdout: "pipe", stderr: "pipe" });
  const [text, trouble] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`curl ${args.join(" ")}: ${trouble}`);
  return text;
}

const post = (path: string, body: unknown, args: readonly string[] = [], from?: string) =>
  curl([`${origin}${path}`, "--data", JSON.stringify(body), ...args], from);

const { data: session } = JSON.parse(
  await post("/api/admin/login", { username: "admin", password: server.adminPassword }),
) as { data: { token: string } };
const signedIn = ["-H", `Authorization: Bearer ${session.token}`];

interface Presigned {
  readonly data: { readonly presignedUrl: string; readonly fileId: string; readonly targetPath: string };
}

const presign = async (fileName: string, fileSize?: number): Promise<Presigned["data"]> =>
  (JSON.parse(await post("/api/fs/presign", { path: "/drive/", fileName, fileSize }, signedIn)) as Presigned).data;

/** Bytes of all files below a folder, temporary ones too. */
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const MiB = 1024 * 1024;

describe("behind nginx", () => {
  test("links and upload addresses are those that people use, by https", async () => {
    const file = JSON.parse(
      await curl([`${origin}/api/upload`, ...signedIn, "-F", "slug=behind", "-F", "file=hello;filename=a.txt"]),
    ) as { data: { slug: string } };
    expect(file.data.slug).toBe("behind");
    const opened = JSON.parse(await curl([`${origin}/api/public/files/behind`])) as { data: { downloadUrl: string } };
    expect(opened.data.downloadUrl).toStartWith(`${origin}/api/file-download/behind`);
    expect(await curl([opened.data.downloadUrl])).toBe("hello");
    const { presignedUrl, fileId, targetPath } = await presign("signed.txt", 5);
    expect(presignedUrl).toStartWith(`${origin}/`);
    await curl([presignedUrl, "-X", "PUT", "-H", "Content-Type: text/plain", "--data", "hello"]);
    const done = JSON.parse(await post("/api/fs/presign/commit", { fileId, targetPath }, signedIn)) as { code: number };
    expect(done.code).toBe(200);
  });

  test("an upload reaches the disk while it comes", async () => {
    const size = 32 * MiB;
    const { presignedUrl } = await presign("streamed.bin", size);
    const { pathname, search, host } = new URL(presignedUrl);
    const before = bytesBelow(server.dataDir);
    const connected = Promise.withResolvers<void>();
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, servername: "satchel.test" }, () =>
      connected.resolve(),
    );
    await connected.promise;
    let answer = "";
    const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: ${size}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(size / 2, 1));
    await until(
      () => bytesBelow(server.dataDir) - before,
      (written) => written > size / 4,
    );
    expect(answer).toBe("");
    expect(bytesBelow(nginx.buffers)).toBe(0);
    socket.write(Buffer.alloc(size / 2, 2));
    await ended;
    expect(answer).toStartWith("HTTP/1.1 200");
  });

  test("a download comes whole and in ranges, and nginx keeps none of it", async () => {
    const url = `${origin}/api/fs/download?path=/drive/streamed.bin`;
    const head = await curl([...signedIn, "-D", "-", "-o", "/dev/null", url]);
    expect(head).toMatch(new RegExp(`content-length: ${32 * MiB}\r\n`, "i"));
    const range = await curl([...signedIn, "-D", "-", "-o", "/dev/null", "-r", "16777210-16777220", url]);
    expect(range).toStartWith("HTTP/1.1 206");
    expect(bytesBelow(nginx.buffers)).toBe(0);
  });

  test("the events of a job come one by one", async () => {
    for (let count = 0; count < 60; count++)
      await curl([
        `${origin}/api/fs/upload`,
        ...signedIn,
        "-F",
        "path=/drive/many/",
        "-F",
        `file=x;filename=${count}.txt`,
      ]);
    const tasks = Array.from({ length: 200 }, (_, index) => ({
      kind: "copy",
      source: "/drive/many/",
      target: `/drive/copies/${index}/`,
    }));
    const { data: job } = JSON.parse(await post("/api/fs/jobs", { tasks }, signedIn)) as { data: { id: string } };
    const child = Bun.spawn(
      [
        "curl",
        "-sSkN",
        "--resolve",
        `satchel.test:${port}:127.0.0.1`,
        ...signedIn,
        `${origin}/api/fs/jobs/${job.id}/events`,
      ],
      { stdout: "pipe" },
    );
    const states: string[] = [];
    for await (const chunk of child.stdout) {
      for (const [, state = ""] of new TextDecoder().decode(chunk).matchAll(/^data: \{"id":"[^"]+","state":"(\w+)"/gm))
        states.push(state);
      if (states.length > 1) break;
    }
    child.kill();
    await curl([`${origin}/api/fs/jobs/${job.id}`, "-X", "DELETE", ...signedIn]);
    expect(states.slice(0, 2)).toEqual(["running", "running"]);
  });

  test("each client has limits of its own, whatever it writes into X-Forwarded-For", async () => {
    const guess = (from: string, args: readonly string[], round: number) =>
      post(
        "/api/admin/login",
        { username: `nobody-${round}`, password: "wrong" },
        ["-o", "/dev/null", "-w", "%{http_code}", ...args],
        from,
      );
    const forged = ["203.0.113.7", "203.0.113.8, unknown", "_hidden", "203.0.113.9, 127.0.0.1"];
    let waits = 0;
    for (let round = 0; round < 60 && waits === 0; round++) {
      const args = ["-H", `X-Forwarded-For: ${forged[round % forged.length]}`];
      if ((await guess("127.0.0.2", args, round)) === "429") waits = round;
    }
    expect(waits).toBeGreaterThan(0);
    for (const hop of forged) expect(await guess("127.0.0.2", ["-H", `X-Forwarded-For: ${hop}`], 100)).toBe("429");
    expect(await guess("127.0.0.3", [], 101)).toBe("401");
    expect(server.stdout()).toContain('"address":"127.0.0.2"');
    expect(server.stdout()).not.toContain('"address":"203.0.113');
  });
});
