import { asAdmin } from "../clients/dav.ts";
import { shareFile } from "../share-file.ts";
import { shareText } from "../share-text.ts";
import { openTestHouse } from "../test-house.ts";
import { type Asked, countedDatabase } from "./counted-database.ts";

const LIMITED = 1_000_000;

/** A server as one of several, and the calls that servers get most, each with what it asks the database. */
export async function openMainCalls() {
  const counted: ReturnType<typeof countedDatabase>[] = [];
  const house = await openTestHouse({
    clustered: true,
    engine(db) {
      const one = countedDatabase(db);
      counted.push(one);
      return one.db;
    },
  });
  const { request } = house;
  const admin = { authorization: `Bearer ${await house.signIn()}` };
  const content = "x".repeat(2048);
  await shareText(house, { slug: "text", content });
  await shareText(house, { slug: "limited", content, maxViews: LIMITED });
  const file = await shareFile(house, { content });
  const dav = (method: string, path: string, init: RequestInit = {}) =>
    request(`/dav/drive/folder${path}`, { ...init, method, headers: { ...asAdmin, ...init.headers } });
  const post = (path: string, fields: object) => {
    const body = JSON.stringify(fields);
    // As it comes over the wire.
    const headers = { ...admin, "content-length": `${Buffer.byteLength(body)}` };
    return request(path, { method: "POST", headers, body });
  };
  await dav("MKCOL", "/");
  for (const name of ["a", "b", "c"]) await dav("PUT", `/${name}.txt`, { body: "1" });
  for (let hit = 0; hit < 40; hit++) await dav("PUT", `/hit-${hit}.txt`, { body: "1" });
  let [number, deleted] = [0, 0];
  const names = ["b", "renamed"];

  const calls: Readonly<Record<string, () => Promise<Response>>> = {
    "GET /api/raw": () => request("/api/raw/text"),
    "GET /api/raw, limited views": () => request("/api/raw/limited"),
    "GET /api/paste/:slug": () => request("/api/paste/text"),
    "POST /api/paste": () => post("/api/paste", { content }),
    "GET /api/pastes": () => request("/api/pastes?limit=20", { headers: admin }),
    "GET /api/file-download": () => request(`/api/file-download/${file.slug}`),
    "GET /api/fs/list": () => request("/api/fs/list?path=/drive/folder", { headers: admin }),
    "GET /api/fs/search": () => request("/api/fs/search?q=a.txt", { headers: admin }),
    "GET /api/fs/search, 40 hits": () => request("/api/fs/search?q=hit&limit=50", { headers: admin }),
    "POST /api/upload": () => {
      const body = new FormData();
      body.set("file", new File(["hello"], "form.txt"));
      return request("/api/upload", { method: "POST", headers: admin, body });
    },
    "POST /api/s3/presign": () => post("/api/s3/presign", { filename: "presigned.txt", size: 5 }),
    "WebDAV PROPFIND": () => dav("PROPFIND", "", { headers: { depth: "1" } }),
    "WebDAV GET": () => dav("GET", "/a.txt"),
    "WebDAV PUT": () => dav("PUT", `/new-${++number}.txt`, { body: "1" }),
    // Those that a search finds are there for nothing else.
    "WebDAV DELETE": () => dav("DELETE", `/hit-${deleted++}.txt`),
    "POST /api/fs/rename": () => {
      const [oldPath, newPath] = names.map((name) => `/drive/folder/${name}.txt`);
      names.reverse();
      return post("/api/fs/rename", { oldPath, newPath });
    },
  };

  return {
    house,
    names: Object.keys(calls),
    /** Makes a call that succeeds; returns what the database was asked until it was answered. */
    async call(name: string): Promise<readonly Asked[]> {
      // The index follows files by itself, whoever has changed them.
      await house.house.vfs.search.settled();
      counted[0]?.take();
      const response = await counted[0]?.during(async () => calls[name]?.());
      const asked = counted[0]?.take() ?? [];
      const text = await response?.text();
      if (!response?.ok) throw new Error(`${name}: ${text}`);
      return asked;
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}
