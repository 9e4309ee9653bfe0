import docs from "../web/docs.html";
import page from "../web/index.html";
import { readConfig } from "./config.ts";
import { type Running, serve } from "./serve.ts";

/**
 * Development: Bun bundles the pages on request and reloads what changes; everything else is the real server. A change to
 * the server's own code runs this file again in the same process, so the one before has to let go of folder and port.
 */
const hot = globalThis as { satchel?: Running };
await hot.satchel?.stop();

const { config } = readConfig(process.argv.slice(2), process.env);
if (config.basePath !== "") throw new Error("While developing, pages are at the root of the host: unset BASE_PATH.");

/** Paths of pages; all other addresses (a bucket, say) belong to the server. */
const pages = ["/", "/upload", "/paste/*", "/file/*", "/mount-explorer", "/mount-explorer/*", "/admin", "/admin/*"];

/** Encodings, fonts and decoders that the PDF reader asks for by address; `build.ts` copies them. */
const pdfParts = /^\/assets\/pdfjs\/((?:cmaps|standard_fonts|wasm|iccs)\/\w[\w.-]*)$/;

hot.satchel = await serve(config, {
  site(_request, { path }) {
    const part = pdfParts.exec(path)?.[1];
    if (part) return new Response(Bun.file(`node_modules/pdfjs-dist/${part}`));
    return new Response("There is no such page.\n", { status: 404 });
  },
  routes: (handle) => ({ ...Object.fromEntries(pages.map((path) => [path, page])), "/docs": docs, "/*": handle }),
});
hot.satchel.announce();
