import { open } from "node:fs/promises";
import { join } from "node:path";

/** What the runtime alone can do with files: a request's body to the disk and flushed, a file to a response. */
const [, , folder = "."] = process.argv;

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  maxRequestBodySize: 1024 ** 4,
  idleTimeout: 120,
  async fetch(request) {
    const path = join(folder, request.url.slice(request.url.lastIndexOf("/") + 1));
    if (request.method !== "PUT") return new Response(Bun.file(path));
    await Bun.write(path, request);
    const file = await open(path, "r+");
    await file.datasync();
    await file.close();
    return new Response(null);
  },
});
process.stderr.write(`Bare is ready: ${server.url.origin}\n`);
