import { chmodSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../servers/free-port.ts";
import { root } from "../sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";
import { asOwner } from "./databases.ts";
import { asPostgres, listens } from "./pooler.ts";

/** Two PostgreSQL under Patroni with etcd, behind HAProxy, from Debian's packages and with the files of deploy/. */

/** The addresses of the files, each on a port of this machine. */
const MACHINES = ["10.0.0.21", "10.0.0.22"];

type Program = ReturnType<typeof start>;

/** A program of an ordinary user, and what it says. */
function start(name: string, command: readonly string[], folder: string) {
  const log = join(folder, `${name}.log`);
  const child = Bun.spawn(asPostgres(command), {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8" },
    stdin: "ignore",
    stdout: Bun.file(log),
    stderr: Bun.file(log),
  });
  return {
    child,
    /** Waits for something, unless the program ends before. */
    ready: (isReady: () => Promise<boolean>) =>
      Promise.race([
        until(isReady, Boolean),
        child.exited.then(async (code) => {
          throw new Error(`${name} ended with code ${code}: ${await Bun.file(log).text()}`);
        }),
      ]),
    async end(): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** One of the two machines. */
interface Machine {
  readonly name: string;
  readonly ports: { readonly postgres: number; readonly patroni: number };
  readonly data: string;
  readonly file: string;
  program: Program;
}

const read = (name: string): Promise<string> => Bun.file(join(root, "deploy", name)).text();

/** What Patroni says of a machine: whether it is what the path names. */
const says = ({ ports }: Pick<Machine, "ports">, path: "primary" | "replica" | "sync"): Promise<boolean> =>
  fetch(`http://127.0.0.1:${ports.patroni}/${path}`).then(
    ({ status }) => status === 200,
    () => false,
  );

async function startEtcd(folder: string) {
  const [client, peer] = [freePort(), freePort()];
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const options = {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": at(client),
    "advertise-client-urls": at(client),
    "listen-peer-urls": at(peer),
    "initial-advertise-peer-urls": at(peer),
    "initial-cluster": `default=${at(peer)}`,
  };
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const program = start("etcd", ["/usr/bin/etcd", ...words], folder);
  await program.ready(() => listens(client));
  return { ...program, port: client };
}

/** The file of deploy/ for one of the machines. */
async function fileFor(
  { name, ports, data }: Pick<Machine, "name" | "ports" | "data">,
  folder: string,
  etcd: number,
): Promise<string> {
  const [bin] = [...new Bun.Glob("/usr/lib/postgresql/*/bin").scanSync({ onlyFiles: false })].sort().reverse();
  if (bin === undefined) throw new Error("apt-get install postgresql first");
  const text = (await read("patroni.yml"))
    .replace(/^name: .*$/m, `name: ${name}`)
    .replaceAll(/10\.0\.0\.21:8008/g, `127.0.0.1:${ports.patroni}`)
    .replaceAll(/10\.0\.0\.21:5432/g, `127.0.0.1:${ports.postgres}`)
    .replace(/hosts: .*$/m, `hosts: [127.0.0.1:${etcd}]`)
    .replace(/data_dir: .*$/m, `data_dir: ${data}`)
    .replace(/bin_dir: .*$/m, `bin_dir: ${bin}`)
    .replace(/pgpass: .*$/m, `pgpass: ${join(folder, `${name}.pgpass`)}`)
    // Only the start waits for less.
    .replace(/loop_wait: \d+/, "loop_wait: 2")
    .replaceAll("10.0.0.0/24", "127.0.0.1/32")
    // Their machines have /var/run/postgresql to themselves.
    .replace(/^ {2}authentication:$/m, `  parameters: { unix_socket_directories: ${folder} }\n  authentication:`);
  return text;
}

async function startHaproxy(machines: readonly Machine[], folder: string) {
  const [primary, standby] = [freePort(), freePort()];
  let text = (await read("haproxy.cfg"))
    .replace("bind 10.0.0.31:5432", `bind 127.0.0.1:${primary}`)
    .replace("bind 10.0.0.31:5433", `bind 127.0.0.1:${standby}`);
  for (const [index, { ports }] of machines.entries())
    text = text.replaceAll(
      `${MACHINES[index]}:5432 check port 8008`,
      `127.0.0.1:${ports.postgres} check port ${ports.patroni}`,
    );
  const file = join(folder, "haproxy.cfg");
  await Bun.write(file, text);
  const program = start("haproxy", ["/usr/sbin/haproxy", "-db", "-f", file], folder);
  await program.ready(() => listens(primary));
  return { ...program, primary, standby };
}

/** Starts all of it, with a database and its user, once there is a primary and a standby without which it acknowledges nothing. */
export async function startPatroni() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  chmodSync(folder.path, 0o777);
  const etcd = await startEtcd(folder.path);
  stack.defer(etcd.end);
  const run = (file: string, name: string) => start(name, ["/usr/bin/patroni", file], folder.path);
  const machines: Machine[] = [];
  /** A machine that is gone: neither Patroni nor PostgreSQL says a word any more. */
  const kill = async ({ program, data }: Machine): Promise<void> => {
    await program.end();
    const pid = Number.parseInt(await Bun.file(join(data, "postmaster.pid")).text(), 10);
    if (pid > 0) process.kill(pid, "SIGKILL");
  };
  const find = async (path: "primary" | "sync") => {
    for (const machine of machines) if (await says(machine, path)) return machine;
    return undefined;
  };
  // One after the other, because a second one that finds no primary yet looks for it again after ten seconds.
  for (const [name, path] of [
    ["db1", "primary"],
    ["db2", "sync"],
  ] as const) {
    const ports = { postgres: freePort(), patroni: freePort() };
    const place = { name, ports, data: join(folder.path, name), file: join(folder.path, `${name}.yml`) };
    await Bun.write(place.file, await fileFor(place, folder.path, etcd.port));
    const machine = { ...place, program: run(place.file, name) };
    machines.push(machine);
    stack.defer(() => kill(machine).catch(() => undefined));
    await machine.program.ready(() => says(machine, path));
  }
  const haproxy = await startHaproxy(machines, folder.path);
  stack.defer(haproxy.end);
  const at = (user: string, port: number, name: string) => `postgres://${user}:PASSWORD@127.0.0.1:${port}/${name}`;
  const owner = at("postgres", (await find("primary"))?.ports.postgres ?? 0, "postgres");
  await asOwner(owner, "create role satchel login password 'PASSWORD'", "create database satchel owner satchel");
  const moved = stack.move();

  return {
    url: at("satchel", haproxy.primary, "satchel"),
    readUrl: at("satchel", haproxy.standby, "satchel"),
    primary: () => find("primary"),
    kill,
    /** Has a machine come back that was killed. */
    revive(machine: Machine): void {
      machine.program = run(machine.file, machine.name);
    },
    isStandby: (machine: Machine) => says(machine, "sync"),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}
