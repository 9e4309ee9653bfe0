import { chmodSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { connect, isIP } from "node:net";
import { dirname } from "node:path";
import type { Config, TlsFiles } from "./config.ts";
import { messageOf } from "./lib/errors.ts";
import { type Log, unforeseen } from "./lib/log.ts";

type Serving = Pick<Bun.Serve.Options<undefined>, "fetch" | "error" | "development" | "maxRequestBodySize"> & {
  readonly idleTimeout: number;
  readonly routes?: never;
};

export type Server = ReturnType<typeof Bun.serve>;

/** What takes the connections of a server, at an address or at a unix socket, with or without TLS. */
export interface Listener {
  /** As people may type it on this machine. */
  readonly address: string;
  /** Takes no more connections; resolves when the requests have ended, or with `now` when they are cut. */
  stop(now?: boolean): Promise<void>;
}

/** Milliseconds between two looks at the files of a certificate, which cost two looks into a folder. */
const LOOK_AGAIN = 2000;

/** Whether the system lets one program listen twice at one port, and shares the connections out. */
const SHARES_PORT = process.platform === "linux";

/** Whoever may write to it may send any X-Forwarded header: the owner and the group, as of the sockets of other servers. */
const SOCKET_MODE = 0o660;

/** Listens as the configuration says. Throws a sentence when a file of TLS cannot be used, or nobody can listen there. */
export async function listen(config: Config, serving: Serving, log: Log): Promise<Listener> {
  const { tls: files, socket } = config;
  const open = (port: number, tls?: Pems, reusePort = false): Server => {
    const at = socket === undefined ? { hostname: config.host, port, reusePort } : { unix: socket };
    return orSayWhy({ ...config, named: { host: "HOST (--host)", port: "--port or PORT" } }, () =>
      Bun.serve({ ...serving, ...at, ...(tls && { tls }) } as never),
    );
  };

  if (socket !== undefined) await removeStale(socket);
  const first = files && readPair(files);
  // Two servers on two data folders must not share a port, so that each visitor would find either: the first opening takes it alone.
  let server = open(config.port, first);
  const isShared = first !== undefined && socket === undefined && SHARES_PORT;
  if (isShared) {
    const taken = server.port ?? 0;
    await server.stop(true);
    server = open(taken, first, true);
  }
  if (socket !== undefined) chmodSync(socket, SOCKET_MODE);
  const port = server.port ?? 0;
  const replaced = new Set<Server>();
  let used = first;

  const renew = (tls: Pems): void => {
    const old = server;
    const stopOld = (): void => {
      replaced.add(old);
      void old.stop().then(() => replaced.delete(old));
    };
    // Where two can listen at one port, no connection finds nobody in between.
    if (!isShared) stopOld();
    try {
      server = open(port, tls, isShared);
      used = tls;
    } catch (error) {
      if (!isShared) server = open(port, used);
      throw error;
    }
    if (isShared) stopOld();
    log.info("the certificate was read again");
  };
  const watching = files && watchPems(files, (pems) => !isSame(used, pems) && renew(pems), log);

  return {
    address: addressOf(config, port),
    async stop(now = false) {
      watching?.stop();
      await Promise.all([server, ...replaced].map((one) => one.stop(now)));
    },
  };
}

/** Where to listen, and which variables say so. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly socket?: string | undefined;
  readonly named: { readonly host: string; readonly port: string };
}

/** Begins to listen. Throws what keeps it from that and what to do about it, in a sentence each. */
export function orSayWhy(place: Place, begin: () => Server): Server {
  try {
    return begin();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const why = place.socket === undefined ? whyNotAt(place, code) : whyNotAtSocket(place.socket)[code];
    throw why === undefined ? error : new Error(why, { cause: error });
  }
}

function whyNotAt({ host, port, named }: Place, code: string): string | undefined {
  if (code === "EADDRINUSE")
    return `Another program listens at port ${port} of ${host}. End it, or choose another port (${named.port}).`;
  if (code === "EACCES" || code === "EPERM")
    return `This user may not listen at port ${port}. Choose one from 1024 on (${named.port}), or give the process CAP_NET_BIND_SERVICE.`;
  // Of a name that leads nowhere the runtime passes on whatever error the system had last.
  if (code === "EADDRNOTAVAIL" || isIP(bare(host)) === 0)
    return `${named.host} is ${host}, which is no address of this machine. 127.0.0.1 is for this machine alone, 0.0.0.0 for every network.`;
  return undefined;
}

const whyNotAtSocket = (socket: string): Readonly<Record<string, string>> => ({
  EADDRINUSE: `SOCKET is ${socket}, and something that is no socket is there. Choose another path.`,
  ENOENT: `SOCKET is ${socket}, and ${dirname(socket)} is not there. Make that folder first.`,
  EACCES: `SOCKET is ${socket}, and this user may not write to ${dirname(socket)}. Choose a folder that it owns.`,
  ENAMETOOLONG: `SOCKET is ${socket}, which is longer than the name of a socket may be. Choose a shorter path.`,
});

interface Pems {
  readonly cert: string;
  readonly key: string;
}

/** Reads a certificate and its key. Throws a sentence when a file cannot be read or they do not belong together. */
export function readPair(files: TlsFiles): Pems {
  const pems = readPems(files);
  requirePair(pems);
  return pems;
}

function readPems(files: TlsFiles): Pems {
  const read = (name: string, file: string): string => {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      const why = messageOf(error);
      throw new Error(`${name} names a file that cannot be used: ${why}.`);
    }
  };
  return { cert: read("TLS_CERT_FILE", files.cert), key: read("TLS_KEY_FILE", files.key) };
}

/** Throws a sentence unless a server could use them. */
function requirePair(tls: Pems): void {
  try {
    Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response() }).stop(true);
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used together: ${why}.`);
  }
}

const isSame = (one: Pems | undefined, other: Pems): boolean => one?.cert === other.cert && one.key === other.key;

/** Reads both files when one of them has changed. Half a renewal, a certificate without its key, is looked at again later. */
function watchPems(files: TlsFiles, changed: (pems: Pems) => void, log: Log) {
  let seen = stampOf(files);
  const look = (): void => {
    const stamp = stampOf(files);
    if (stamp === seen) return;
    seen = stamp;
    try {
      // Before the old one is given up.
      changed(readPair(files));
    } catch (error) {
      log.warn("the new certificate cannot be used, the old one stays", unforeseen(error));
    }
  };
  const timer = setInterval(look, LOOK_AGAIN);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Changes with either file, also when a link leads to another one. Never throws: nobody may look into the folder of a renewal that went wrong. */
const stampOf = ({ cert, key }: TlsFiles): string =>
  [cert, key]
    .map((file) => {
      try {
        const stat = statSync(file, { throwIfNoEntry: false });
        return `${stat?.ino} ${stat?.mtimeMs} ${stat?.size}`;
      } catch (error) {
        return String(error);
      }
    })
    .join(" ");

/** Removes a socket that a killed server has left; one at which somebody listens stays, and so does what is no socket. */
async function removeStale(path: string): Promise<void> {
  if (!statSync(path, { throwIfNoEntry: false })?.isSocket()) return;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const connection = connect(path, () => resolve(true)).on("error", () => resolve(false));
  const isUsed = await promise;
  connection.destroy();
  if (isUsed) throw new Error(`Another server listens at ${path}.`);
  unlinkSync(path);
}

/** An address of IPv6 without its brackets. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

function addressOf({ host, socket, tls, basePath }: Config, port: number): string {
  if (socket !== undefined) return `unix:${socket}`;
  const isAny = host === "0.0.0.0" || host === "::" || host === "[::]" || host === "127.0.0.1";
  const name = isAny ? "localhost" : host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `${tls ? "https" : "http"}://${name}:${port}${basePath}`;
}
