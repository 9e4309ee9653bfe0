import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** nginx of Debian's packages (nginx-light), before a server of ours. */
export interface Nginx extends AsyncDisposable {
  /** Where clients reach it by TLS, on the loopback addresses of 127.0.0.0/8. */
  readonly port: number;
  /** Where nginx puts what it does not pass on at once. */
  readonly buffers: string;
}

const run = async (command: readonly string[]): Promise<void> => {
  const child = Bun.spawn([...command], { stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed: ${said}`);
};

/** The configuration of deploy/: for one server, and what is added for several. */
async function documented(several: boolean): Promise<string> {
  const read = (name: string): Promise<string> => Bun.file(join(root, "deploy", name)).text();
  const [server, upstream] = await Promise.all([read("nginx.conf"), read("nginx-upstream.conf")]);
  return several ? upstream + server.replace("http://127.0.0.1:8787", "http://satchel") : server;
}

/**
 * Starts nginx with the configuration of deploy/, its names filled in, before the server at this address (`http://127.0.0.1:8787`), or before
 * several (`127.0.0.1:8787`).
 */
export async function startNginx(port: number, upstream: string | readonly string[]): Promise<Nginx> {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("buffers"));
  await run(
    ["openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=satchel.test -keyout", at("key"), "-out", at("cert")]
      .join(" ")
      .split(" "),
  );
  const several = typeof upstream !== "string";
  // Each may be named twice.
  const addresses = [...new Set((await documented(several)).match(/10\.\S+:8787/g))];
  if (several && addresses.length !== upstream.length)
    throw new Error(`deploy/nginx-upstream.conf has ${addresses.length} servers.`);
  const server = (await documented(several))
    .replace(/10\.\S+:8787/g, (address) => `${upstream[addresses.indexOf(address)]}`)
    .replaceAll("443 ssl", `127.0.0.1:${port} ssl`)
    .replace("listen 127.0.0.1", "listen 0.0.0.0")
    .replaceAll("share.example;", "satchel.test;")
    .replace(/ssl_certificate .*;/, `ssl_certificate ${at("cert")};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${at("key")};`)
    .replaceAll("http://127.0.0.1:8787", several ? "" : upstream);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${at("buffers")}/${name};`)
    .join("\n");
  const text = `pid ${at("pid")};\nerror_log ${at("errors")};\ndaemon off;\nevents { worker_connections 4096; }\nhttp {\naccess_log off;\n${temporary}\n${server}\n}\n`;
  await Bun.write(at("nginx.conf"), text);
  await run(["nginx", "-t", "-p", folder.path, "-e", at("errors"), "-c", at("nginx.conf")]);
  const child = Bun.spawn(["nginx", "-p", folder.path, "-e", at("errors"), "-c", at("nginx.conf")], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const ended = child.exited.then((code) => {
    throw new Error(`nginx ended with code ${code}.`);
  });
  await Promise.race([listening(port), ended]);
  ended.catch(() => undefined);
  return {
    port,
    buffers: at("buffers"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
}

/** Milliseconds that nginx may take to start on a busy machine. */
const READY_WITHIN = 60_000;

/** Returns when somebody takes connections on a port of the loopback address. */
async function listening(port: number): Promise<void> {
  for (const end = performance.now() + READY_WITHIN; performance.now() < end; ) {
    try {
      (await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } })).end();
      return;
    } catch {
      await new Promise(setImmediate);
    }
  }
  throw new Error(`Nobody listens on port ${port}.`);
}
