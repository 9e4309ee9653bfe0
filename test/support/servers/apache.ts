import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until.ts";
import { freePort } from "./free-port.ts";

/** Apache's mod_dav of Debian's packages on a folder, without any credential; undefined where it is not installed. */
export async function startApache(work: string, folder: string) {
  if (!Bun.which("apache2")) return undefined;
  const port = freePort();
  mkdirSync(work, { recursive: true });
  for (const path of [work, folder]) chmodSync(path, 0o777);
  const modules = ["mpm_event", "authz_core", "dav", "dav_fs", "mime"].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  const config = join(work, "apache.conf");
  const lines = [
    ...modules,
    `ServerName 127.0.0.1`,
    `Listen 127.0.0.1:${port}`,
    `PidFile ${work}/pid`,
    `ErrorLog ${work}/error.log`,
    `DocumentRoot ${folder}`,
    "TypesConfig /etc/mime.types",
    `DAVLockDB ${work}/locks`,
    "<Directory />",
    "  Dav On",
    "  Require all granted",
    "</Directory>",
    // It gives up the rights of root, and must still get at the folder.
    ...(process.getuid?.() === 0 ? ["User www-data", "Group www-data"] : []),
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  const child = Bun.spawn(["apache2", "-f", config, "-D", "FOREGROUND"], { stdout: "ignore", stderr: "pipe" });
  const address = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(address, { method: "OPTIONS" }).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(answers, Boolean);
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
