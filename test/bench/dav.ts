import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { basic } from "../support/clients/basic.ts";
import { startApache } from "../support/servers/apache.ts";
import { root } from "../support/sources.ts";
import { median } from "./curl.ts";
import { tell } from "./figures.ts";
import { type Measured, startMeasured } from "./measured.ts";

/**
 * `bun test/bench/dav.ts`: WebDAV against Apache's mod_dav on the same folder (apache2 of Debian's packages), one gigabyte against
 * what the runtime alone does with it, and many small files by rclone. Read the ratios; nothing here fails.
 */
const FILES = 10_000;
const SMALL = 500;
const ROUNDS = 7;
const GB = 1024 ** 3;
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));
const [data, bareFolder] = [join(folder, "data"), join(folder, "bare")];
for (const path of [data, bareFolder]) mkdirSync(path);

/** What rclone asks for. */
const some = `<?xml version="1.0"?><d:propfind xmlns:d="DAV:"><d:prop><d:displayname/><d:getlastmodified/><d:getcontentlength/><d:resourcetype/><d:getcontenttype/></d:prop></d:propfind>`;
const all = `<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>`;

/** Milliseconds until the whole answer is there, and its bytes. */
async function propfind(url: string, body: string, headers: Record<string, string> = {}) {
  const began = performance.now();
  const response = await fetch(url, { method: "PROPFIND", headers: { depth: "1", ...headers }, body });
  const { byteLength } = await response.arrayBuffer();
  if (response.status !== 207) throw new Error(`PROPFIND was answered ${response.status}`);
  return { took: performance.now() - began, bytes: byteLength };
}

/** Changes a mount so that listings are kept, or are asked for anew each time. */
async function keepListings({ address, password }: Measured, seconds: number): Promise<void> {
  const headers = { ...basic("admin", password), "content-type": "application/json" };
  const { data: mounts } = (await (await fetch(`${address}/api/admin/mounts`, { headers })).json()) as {
    data: readonly { id: string }[];
  };
  const url = `${address}/api/admin/mounts/${mounts[0]?.id}`;
  const response = await fetch(url, { method: "PUT", headers, body: JSON.stringify({ cache_ttl: seconds }) });
  if (!response.ok) throw new Error(`the mount was answered ${response.status}`);
}

async function lists(ours: Measured, drive: string): Promise<void> {
  const many = join(drive, "many");
  mkdirSync(many, { recursive: true });
  for (let index = 0; index < FILES; index++) writeFileSync(join(many, `file ${index}.txt`), `content ${index}`);
  for (const path of [folder, data, join(data, "objects")]) chmodSync(path, 0o755);
  await using apache = await startApache(join(folder, "apache"), drive);
  if (!apache) {
    say("apache2 is not installed: no comparison of lists");
    return;
  }
  const mine = basic("admin", ours.password);
  for (const [what, body] of Object.entries({ "what rclone asks for": some, "all properties": all }))
    for (const seconds of [0, 300]) {
      await keepListings(ours, seconds);
      const ratios: number[] = [];
      const times: [number, number][] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const their = await propfind(`${apache.address}/many/`, body);
        const own = await propfind(`${ours.address}/dav/drive/many/`, body, mine);
        // The first one warms both up.
        if (round > 0) ratios.push(own.took / their.took);
        if (round > 0) times.push([own.took, their.took]);
      }
      const [own, their] = [0, 1].map((side) => median(times.map((pair) => pair[side] ?? 0)).toFixed(0));
      const kept = seconds === 0 ? "asked anew" : "kept";
      say(`  ${own} ms, mod_dav ${their} ms`);
      const compared = { work: `PROPFIND of ${FILES} files, ${what}, listing ${kept}`, yardstick: "Apache's mod_dav" };
      tell({ ...compared, value: median(ratios), unit: "× time", goal: 1 });
    }
}

/** Seconds that curl takes. */
async function curl(...options: string[]): Promise<number> {
  const command = ["curl", "-sSf", "-o", "/dev/null", "-w", "%{time_total}", "-H", "Expect:", ...options];
  const child = Bun.spawn(command, { stdout: "pipe" });
  const seconds = Number(await new Response(child.stdout).text());
  if ((await child.exited) !== 0) throw new Error("curl failed");
  return seconds;
}

async function gigabyte(ours: Measured): Promise<void> {
  const source = join(folder, "source.bin");
  await Bun.$`head -c ${GB} /dev/urandom > ${source}`;
  await using bare = await startMeasured(
    [process.execPath, join(root, "test/bench/bare-files.ts"), bareFolder],
    bareFolder,
  );
  const user = ["-u", `admin:${ours.password}`];
  const [up, down]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round++) {
    // What one has left for the disk to write must not slow the other down, and each writes a new file: whoever replaces one frees it too.
    const other = `${bare.address}/one-${round}`;
    const url = `${ours.address}/dav/drive/one-${round}`;
    await Bun.$`sync`;
    const theirs = await curl("-T", source, other);
    await Bun.$`sync`;
    up.push(theirs / (await curl("-T", source, ...user, url)));
    down.push((await curl(other)) / (await curl(...user, url)));
  }
  const before = ours.residentBytes();
  const bareRate = {
    yardstick: "Bun.serve with Bun.write, flushed, and Bun.file",
    unit: "× rate",
    goal: 0.85,
  } as const;
  tell({ work: "WebDAV PUT of 1 GB", ...bareRate, value: median(up) });
  tell({ work: "WebDAV GET of 1 GB", ...bareRate, value: median(down) });
  say(`memory afterwards: ${(before / 1e6).toFixed(0)} MB`);
}

/** Many small files up, down and once more without anything to do, against mod_dav. */
async function smallFiles(ours: Measured, drive: string): Promise<void> {
  if (!Bun.which("rclone")) {
    say("rclone is not installed: no comparison of small files");
    return;
  }
  const source = join(folder, "small");
  mkdirSync(source);
  for (let index = 0; index < SMALL; index++) writeFileSync(join(source, `small ${index}.txt`), `content ${index}`);
  const apacheRoot = join(folder, "apache-files");
  mkdirSync(apacheRoot);
  await using apache = await startApache(join(folder, "apache-small"), apacheRoot);
  const config = join(folder, "rclone.conf");
  const obscured = (await Bun.$`rclone obscure ${ours.password}`.text()).trim();
  const remote = (name: string, url: string) => `[${name}]\ntype = webdav\nurl = ${url}\nvendor = other\n`;
  const own = `${remote("ours", `${ours.address}/dav/drive`)}user = admin\npass = ${obscured}\n`;
  writeFileSync(config, own + (apache ? remote("theirs", apache.address) : ""));
  const timed = async (...words: string[]) => {
    const began = performance.now();
    await Bun.$`rclone --config ${config} --transfers 8 --checkers 8 ${words}`.quiet();
    return performance.now() - began;
  };
  for (const [what, words] of Object.entries({
    up: (name: string) => ["copy", source, `${name}:small`],
    "once more": (name: string) => ["copy", source, `${name}:small`],
    down: (name: string) => ["copy", `${name}:small`, join(folder, `back-${name}`)],
  })) {
    const mine = await timed(...words("ours"));
    const their = apache ? await timed(...words("theirs")) : undefined;
    say(`  ${SMALL} small files by rclone, ${what}: ${mine.toFixed(0)} ms, mod_dav ${their?.toFixed(0) ?? "-"} ms`);
    const compared = { work: `${SMALL} small files by rclone, ${what}`, yardstick: "Apache's mod_dav, by rclone" };
    if (their !== undefined) tell({ ...compared, value: mine / their, unit: "× time", goal: 1 });
  }
  say(`${(await Bun.$`ls ${join(drive, "small")}`.text()).split("\n").length - 1} of them arrived`);
}

try {
  await using ours = await startMeasured([process.execPath, join(root, "src/main.ts")], data);
  const drive = join(data, "objects/drive");
  await lists(ours, drive);
  await smallFiles(ours, drive);
  await gigabyte(ours);
} finally {
  await rm(folder, { recursive: true, force: true });
}
