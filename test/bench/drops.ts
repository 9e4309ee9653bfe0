import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyAt } from "../support/make-key.ts";
import { freePort } from "../support/servers/free-port.ts";
import { root } from "../support/sources.ts";
import { median } from "./curl.ts";
import { tell } from "./figures.ts";
import { startMeasured } from "./measured.ts";
import { createPresign } from "./presign.ts";

/**
 * `bun test/bench/drops.ts`: a thousand small things dropped as a script does it, and put into a folder by each door, against the runtime
 * alone, which flushes each file as we do, and against nginx, whose PUT (nginx-light of Debian's packages) waits for no disk. Read the
 * ratios; nothing here fails.
 */
const COUNT = 1000;
const AT_ONCE = 16;
const ROUNDS = 5;
const content = "x".repeat(2048);
/** What the others are compared with, and what that leaves out. */
const yardsticks: Readonly<Record<string, string>> = {
  "PUT to nginx": "PUT of nginx, which keeps no names, checks no one and flushes nothing",
  "PUT to Bun.serve":
    "PUT of Bun.serve with Bun.write and the same flush; no names, no one checked, seen while it is written",
};
const say = (line: string) => process.stdout.write(`${line}\n`);

const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));
const satchel = join(root, "dist/satchel");
const source = [process.execPath, join(root, "src/main.ts")];

/** Sends one of many; each has a name of its own. */
type Send = (name: string) => Promise<Response>;

async function worker(send: Send, names: Iterator<string>): Promise<void> {
  for (let next = names.next(); !next.done; next = names.next()) {
    const response = await send(next.value);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${next.value} was answered ${response.status}`);
  }
}

let sent = 0;

/** Milliseconds for all of them. */
async function all(send: Send): Promise<number> {
  const names = Array.from({ length: COUNT }, () => `drop-${sent++}.txt`).values();
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => worker(send, names)));
  return performance.now() - began;
}

async function startNginx() {
  if (!Bun.which("nginx")) return undefined;
  const [port, place] = [await freePort(), join(folder, "nginx")];
  await mkdir(join(place, "files"), { recursive: true });
  const server = `listen 127.0.0.1:${port}; root ${place}/files; dav_methods PUT; client_body_temp_path ${place}/bodies;`;
  const http = `access_log off; ${["proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${place}/${name};`).join(" ")}`;
  const text = `user root; pid ${place}/pid; daemon off; events {} http { ${http} server { ${server} } }`;
  await Bun.write(join(place, "nginx.conf"), text);
  const child = Bun.spawn(["nginx", "-p", place, "-e", join(place, "errors"), "-c", join(place, "nginx.conf")]);
  const address = `http://127.0.0.1:${port}`;
  while (!(await fetch(address).catch(() => undefined)) && child.exitCode === null) await Bun.sleep(20);
  if (child.exitCode !== null) return undefined;
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

/** Measures what is named; those with a yardstick are what the others are compared with. */
async function compare(ways: Readonly<Record<string, Send>>): Promise<void> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, send] of Object.entries(ways)) times.set(name, [...(times.get(name) ?? []), await all(send)]);
  const middle = [...times].map(([name, all]) => ({ name, took: median(all) }));
  for (const { name, took } of middle) {
    say(`${name}: ${took.toFixed(0)} ms, ${((COUNT / took) * 1000).toFixed(0)}/s`);
    if (name in yardsticks) continue;
    for (const other of middle) {
      const yardstick = yardsticks[other.name];
      const to = other.name.replace("PUT to ", "");
      if (yardstick) tell({ work: `${name} of 2 KB, to ${to}`, yardstick, value: other.took / took, unit: "× rate" });
    }
  }
}

try {
  await using ours = await startMeasured(existsSync(satchel) ? [satchel] : source, join(folder, "ours"));
  await using nginx = await startNginx();
  if (!nginx) say("nginx is not installed: no comparison with it");
  const key = await keyAt({ address: ours.address, adminPassword: ours.password });
  const headers = { "x-api-key": key };
  const post = (path: string, type: string, body: string): Send => {
    const init = { method: "POST", headers: { ...headers, "content-type": type }, body };
    return () => fetch(`${ours.address}${path}`, init);
  };
  const presign = await createPresign(ours);
  const bareFolder = join(folder, "bare");
  await mkdir(bareFolder);
  const command = [process.execPath, join(root, "test/bench/bare-files.ts"), bareFolder];
  await using bare = await startMeasured(command, bareFolder);
  const put = (address: string, more: Readonly<Record<string, string>> = {}): Send => {
    const init = { method: "PUT", headers: more, body: content };
    return (name) => fetch(`${address}/${name}`, init);
  };
  say(`${COUNT} of 2 KB, ${AT_ONCE} at once`);
  await compare({
    "POST /api/paste": post("/api/paste", "application/json", JSON.stringify({ content })),
    "POST / with a text": post("/", "text/plain", content),
    "PUT /NAME": put(ours.address, headers),
    "PUT by WebDAV": put(`${ours.address}/dav/drive`, headers),
    "PUT by S3": (name) => fetch(presign("PUT", `/s3-${name}`), { method: "PUT", body: content }),
    "PUT to Bun.serve": put(bare.address),
    ...(nginx && { "PUT to nginx": put(nginx.address) }),
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
