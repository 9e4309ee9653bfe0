import { beginAccount } from "../access/first-account.ts";
import type { Config } from "../config.ts";
import { databaseFile, hasBytes, openDataFolder } from "../lib/data-folder.ts";
import type { Running } from "../serve.ts";

/** Serves until a signal comes. Throws a sentence for the operator when it cannot start. */
export async function startServer(config: Config): Promise<void> {
  // Said before anything in it is looked at, and before a password is hashed for nothing.
  openDataFolder(config.dataDir);
  // A password takes as long to hash as the server takes to load and to open: both go on at once.
  const isFirst = config.databaseUrl === undefined && !hasBytes(databaseFile(config));
  const account = isFirst ? beginAccount(config.adminUsername, config.adminPassword) : undefined;
  // The reader of the log may go away; the server stays.
  process.stdout.on("error", () => undefined);
  const { serve } = await import("../serve.ts");
  const running = await serve(config, { site: await openSite(config) }, { account });
  stopOnSignal(running);
  running.announce();
}

async function openSite(config: Config) {
  const { builtAssets } = await import("../fronts/site/built-assets.ts");
  const { createSite } = await import("../fronts/site/index.ts");
  const { siteAt } = await import("../fronts/site/base-path.ts");
  return createSite(await siteAt(await builtAssets(), config.basePath), config);
}

/** The first signal stops in order, the second at once. */
function stopOnSignal({ stop }: Running): void {
  let stopping = false;
  const onSignal = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await stop();
    await logWritten();
    process.exit(0);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

/** Waits until the log's last lines are out, or their reader has been slow for too long. */
async function logWritten(): Promise<void> {
  const written = new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  await Promise.race([written, Bun.sleep(SLOW_READER)]);
}

const SLOW_READER = 5000;
