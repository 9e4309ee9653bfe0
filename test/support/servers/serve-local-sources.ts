import "../../../src/production.ts";
import { readConfig } from "../../../src/config.ts";
import { siteAt } from "../../../src/fronts/site/base-path.ts";
import { builtAssets } from "../../../src/fronts/site/built-assets.ts";
import { createSite } from "../../../src/fronts/site/index.ts";
import { serve } from "../../../src/serve.ts";
import { onlyHere } from "./web-source.ts";

/** The real server, but for the addresses to which URLs may lead: a journey's sources are on this machine. */
const { config } = readConfig([], process.env);
const site = createSite(await siteAt(await builtAssets(), config.basePath), config);
const running = await serve(config, { site }, { sources: onlyHere });
process.on("SIGTERM", async () => {
  await running.stop();
  process.exit(0);
});
running.announce();
