import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What the runtime alone can do with a folder: names, what is known of each, JSON. */
const [, , folder = "."] = process.argv;

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch() {
    const items = readdirSync(folder).map((name) => {
      const { size, mtime } = statSync(join(folder, name));
      return { name, size, modified: mtime };
    });
    return Response.json({ items });
  },
});
process.stderr.write(`Bare is ready: ${server.url.origin}\n`);
