import { join } from "node:path";
import { version } from "../package.json";
import { ConfigError, readConfig } from "./config.ts";
import { readAssets } from "./fronts/site/assets.ts";
import { embedded } from "./fronts/site/embedded.ts";
import { createSite } from "./fronts/site/index.ts";
import { credentialLines, openData, type Running, serve } from "./serve.ts";

const help = `Satchel ${version}: an online clipboard and file share.

  satchel [serve]       serves it
  satchel admin reset   sets a new administrator password, ends every session and prints a one-time sign-in link

  --host HOST   address to listen on (HOST, 127.0.0.1)
  --port PORT   port to listen on (PORT, 8787)
  --data DIR    folder for everything that is kept (DATA_DIR, ./data)
  --version     prints the version
  --help        prints this

Environment: ADMIN_USERNAME, ADMIN_PASSWORD, SECRET_KEY, PUBLIC_URL, TRUSTED_PROXIES, LOG_LEVEL, DB_SYNCHRONOUS, SHUTDOWN_SECONDS.
`;

async function run(): Promise<void> {
  const { command, config } = readConfig(process.argv.slice(2), process.env);
  if (command === "help") return void process.stdout.write(help);
  if (command === "version") return void process.stdout.write(`${version}\n`);
  if (command === "admin reset") {
    const { db, house } = await openData(config);
    const credentials = await house.access.admin.reset();
    db.close();
    const address = config.publicUrl ?? `http://localhost:${config.port}`;
    return void process.stdout.write(`${credentialLines(address, credentials).join("\n")}\n`);
  }
  const assets = embedded ?? (await readAssets(join(import.meta.dir, "../dist/web")));
  stopOnSignal(await serve(config, { site: createSite(assets) }));
}

function stopOnSignal({ stop }: Running): void {
  let stopping = false;
  const once = async () => {
    if (stopping) return;
    stopping = true;
    await stop();
    process.exit(0);
  };
  process.on("SIGTERM", once);
  process.on("SIGINT", once);
}

/** No top-level await: the executable's bytecode wants none. */
run().catch((error: unknown) => {
  process.stderr.write(`Satchel cannot start:\n${reason(error)}\n`);
  process.exit(1);
});

function reason(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.map((line) => `- ${line}`).join("\n");
  return error instanceof Error ? error.message : String(error);
}
