import { chmodSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../servers/free-port.ts";
import { root } from "../sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

/** Lets a program run by an ordinary user, where this is root: PgBouncer, Patroni and PostgreSQL refuse to be started by root. */
export const asPostgres = (command: readonly string[]): string[] =>
  process.getuid?.() === 0
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command]
    : [...command];

/** Whether somebody takes connections on a port of this machine. */
export const listens = (port: number): Promise<boolean> =>
  Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } }).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );

/** PgBouncer of Debian's packages with the configuration of deploy/ before a database, with so many connections to it. */
export async function startPooler(database: string, connections: number) {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const [port, url] = [freePort(), new URL(database)];
  const name = url.pathname.slice(1);
  const users = join(folder.path, "userlist.txt");
  const documented = await Bun.file(join(root, "deploy/pgbouncer.ini")).text();
  const text = documented
    .replace(/^satchel = host=\S+ port=\d+/m, `${name} = host=${url.hostname} port=${url.port}`)
    .replace(/^listen_addr = .*$/m, "listen_addr = 127.0.0.1")
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_type = .*$/m, "auth_type = trust")
    .replace(/^auth_file = .*$/m, `auth_file = ${users}`)
    .replace(/^default_pool_size = .*$/m, `default_pool_size = ${connections}`);
  await Bun.write(users, `"${url.username}" ""\n`);
  await Bun.write(join(folder.path, "pgbouncer.ini"), text);
  const child = Bun.spawn(asPostgres(["/usr/sbin/pgbouncer", join(folder.path, "pgbouncer.ini")]), {
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = new Response(child.stderr).text();
  await Promise.race([
    until(() => listens(port), Boolean),
    child.exited.then(async () => {
      throw new Error(`PgBouncer ended: ${await said}`);
    }),
  ]);
  return {
    url: Object.assign(new URL(database), { port: `${port}` }).href,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
}
