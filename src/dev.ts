import { pageRoots } from "#contract/page-paths";
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

/** Paths of pages for whoever reads; all else (a bucket, say, or what is sent to a page) belongs to the server. */
const pages = ["/", "/upload", ...pageRoots.flatMap((root) => [`/${root}`, `/${root}/*`])];

/** Encodings, fonts and decoders that the PDF reader asks for by address; `build.ts` copies them. */
const pdfParts = /^\/assets\/pdfjs\/((?:cmaps|standard_fonts|wasm|iccs)\/\w[\w.-]*)$/;

hot.satchel = await serve(config, {
  async site(_request, { path }) {
    // The bundler is loaded beside the server and not before it.
    const { workerAt } = await import("../build.ts");
    const worker = await workerAt(path);
    if (worker !== undefined) return new Response(worker, { headers: { "content-type": "text/javascript" } });
    const part = pdfParts.exec(path)?.[1];
    if (part) return new Response(Bun.file(`node_modules/pdfjs-dist/${part}`));
    return new Response("There is no such page.\n", { status: 404 });
  },
  routes: (handle) => ({
    ...Object.fromEntries(pages.map((path) => [path, { GET: page }])),
    "/docs": docs,
    "/*": handle,
  }),
});
hot.satchel.announce();
