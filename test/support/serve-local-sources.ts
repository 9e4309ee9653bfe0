import "../../src/production.ts";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { readAssets } from "../../src/fronts/site/assets.ts";
import { createSite } from "../../src/fronts/site/index.ts";
import { serve } from "../../src/serve.ts";
import { root } from "./sources.ts";
import { onlyHere } from "./web-source.ts";

/** The real server, but for the addresses to which URLs may lead: a journey's sources are on this machine. */
const { config } = readConfig([], process.env);
const running = await serve(
  config,
  { site: createSite(await readAssets(join(root, "dist/web"))) },
  { sources: onlyHere },
);
process.on("SIGTERM", async () => {
  await running.stop();
  process.exit(0);
});
running.announce();
