import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { tell } from "./figures.ts";
import { inFolder } from "./in-folder.ts";
import { type Measured, startMeasured } from "./measured.ts";

/** `bun test/bench/memory.ts`: what the server holds of many connections, event streams and transfers at once. Linux only: it uses all of 127.0.0.0/8. */
const CONNECTIONS = 10_000;
const STREAMS = 1000;
/** Below what one address may have. */
const STREAMS_OF_ADDRESS = 20;
const GB = 1024 ** 3;
const DOWNLOADS = 100;
const UPLOADS = 20;
/** So many are opened at a time: a listening socket has a short queue. */
const AT_A_TIME = 100;

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Opens a connection from an address of this machine, asks for a page, and answers it once something came back. */
function asked(server: URL, path: string, localAddress: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host: server.hostname, port: Number(server.port), localAddress });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("The server ended a connection.")));
  socket.once("data", (bytes: Buffer) => {
    const line = bytes.toString("latin1").split("\r\n")[0];
    if (line?.includes(" 200 ")) resolve(socket);
    else reject(new Error(`The server answered ${line}`));
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`);
  return promise;
}

async function askMany(ours: Measured, path: string, count: number, addressOf: (index: number) => string) {
  const server = new URL(ours.address);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const first = sockets.length;
    const some = Array.from({ length: Math.min(AT_A_TIME, count - first) }, (_, index) =>
      asked(server, path, addressOf(first + index)),
    );
    sockets.push(...(await Promise.all(some)));
  }
  return {
    sockets,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.removeAllListeners("close").destroy();
    },
  };
}

/** The most that is resident while something is done. */
async function mostDuring(ours: Measured, work: () => Promise<unknown>): Promise<number> {
  let most = ours.residentBytes();
  const watch = setInterval(() => {
    most = Math.max(most, ours.residentBytes());
  }, 50);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return most;
}

const start = (data: string) => startMeasured([join(root, "dist/satchel")], data);

async function connections(folder: string): Promise<void> {
  await using ours = await start(join(folder, "connections"));
  const before = ours.residentBytes();
  // A source address has 28,000 ports for one address and port of a server.
  using many = await askMany(ours, "/api/health", CONNECTIONS, (index) => `127.0.1.${1 + (index % 200)}`);
  tell({
    work: `${many.sockets.length} idle connections, each of which has asked once`,
    yardstick: `resident; ${mb(before)} before`,
    value: ours.residentBytes() / 1e6,
    unit: "MB",
    goal: 150,
  });
}

async function streams(folder: string): Promise<void> {
  await using ours = await start(join(folder, "streams"));
  const authorization = `Basic ${btoa(`admin:${ours.password}`)}`;
  const begun = await fetch(`${ours.address}/api/tus`, {
    method: "POST",
    headers: {
      authorization,
      "tus-resumable": "1.0.0",
      "upload-length": "1000",
      "upload-metadata": `filename ${btoa("awaited.bin")},slug ${btoa("awaited")}`,
    },
  });
  if (begun.status !== 201) throw new Error(`The upload was answered ${begun.status}`);
  const before = ours.residentBytes();
  const path = "/api/shares/awaited/events";
  const addressOf = (index: number) => `127.0.2.${1 + Math.floor(index / STREAMS_OF_ADDRESS)}`;
  using many = await askMany(ours, path, STREAMS, addressOf);
  tell({
    work: `${many.sockets.length} event streams of a file that is on its way`,
    yardstick: `resident; ${mb(before)} before`,
    value: ours.residentBytes() / 1e6,
    unit: "MB",
    goal: 150,
  });
}

/** Runs curl with a configuration of many transfers of a gigabyte each, all at once. */
async function curlAll(file: string, transfers: readonly string[]): Promise<void> {
  const sizes = 'output = "/dev/null"\nwrite-out = "%{size_download} %{size_upload}\\n"';
  await Bun.write(file, transfers.map((transfer) => `${transfer}\n${sizes}`).join("\nnext\n"));
  const child = Bun.spawn(
    [
      "curl",
      "--no-progress-meter",
      "--fail",
      "--parallel",
      "--parallel-immediate",
      "--parallel-max",
      "300",
      "-K",
      file,
    ],
    { stdout: "pipe", stderr: "pipe" },
  );
  const [lines, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`curl: ${said.slice(0, 500)}`);
  const whole = lines.split("\n").filter((line) =>
    line
      .split(" ")
      .map(Number)
      .some((size) => size === GB),
  );
  if (whole.length !== transfers.length) throw new Error(`${whole.length} of ${transfers.length} were whole.`);
}

async function transfers(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const source = join(folder, "source.bin");
  await Bun.$`head -c ${GB} /dev/urandom > ${source}`;
  await using ours = await start(join(folder, "transfers"));
  const user = `user = "admin:${ours.password}"`;
  const upTo = (slug: string) => `${user}\nupload-file = "${source}"\nurl = "${ours.address}/${slug}.bin"`;
  const first = await fetch(`${ours.address}/source.bin`, {
    method: "PUT",
    headers: { authorization: `Basic ${btoa(`admin:${ours.password}`)}`, accept: "application/json" },
    body: Bun.file(source),
  });
  const location = first.headers.get("location");
  if (!location) throw new Error(`The upload was answered ${first.status}`);
  const page = new URL(location, ours.address);
  const from = `${ours.address}${page.pathname}?raw`;
  const before = ours.residentBytes();
  const began = performance.now();
  const most = await mostDuring(ours, () =>
    Promise.all([
      curlAll(
        join(folder, "up"),
        Array.from({ length: UPLOADS }, (_, index) => upTo(`up-${index}`)),
      ),
      curlAll(
        join(folder, "down"),
        Array.from({ length: DOWNLOADS }, () => `url = "${from}"`),
      ),
    ]),
  );
  const seconds = (performance.now() - began) / 1000;
  tell({
    work: `${DOWNLOADS} downloads and ${UPLOADS} uploads of 1 GB at once`,
    yardstick: `resident at most; ${mb(before)} before, ${seconds.toFixed(0)} s for all`,
    value: most / 1e6,
    unit: "MB",
    goal: 150,
  });
}

await inFolder(async (folder) => {
  await connections(folder);
  await streams(folder);
  await transfers(join(folder, "files"));
});
