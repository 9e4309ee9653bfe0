import { Database } from "bun:sqlite";

/** What the framework alone can do: one statement, no checks, no headers, no log. Prints its port. */
const [, , file = ":memory:"] = process.argv;
const db = new Database(file, { create: true });
db.exec("pragma journal_mode = wal; pragma synchronous = normal");
db.exec("create table if not exists texts (slug text primary key, content text not null)");
const select = db.query<{ content: string }, [string]>("select content from texts where slug = ?");
const insert = db.query("insert or replace into texts values (?, ?)");
insert.run("bench", "x".repeat(2048));

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "POST") {
      const { content } = (await request.json()) as { content: string };
      const slug = Bun.randomUUIDv7();
      insert.run(slug, content);
      return Response.json({ slug });
    }
    const { url } = request;
    const row = select.get(url.slice(url.lastIndexOf("/") + 1));
    return new Response(row?.content ?? "", { headers: { "content-type": "text/plain; charset=utf-8" } });
  },
});
process.stderr.write(`Bare is ready: ${server.url.origin}\n`);
