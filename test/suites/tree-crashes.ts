import { expect } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { fsTrash } from "#contract/fs/trash";
import { createSigner, encodeKey } from "../../src/lib/signatures/sigv4.ts";
import { asking, davUrl, resources, setting } from "../support/clients/dav.ts";
import { urlOf } from "../support/tree/tree-house.ts";

/**
 * What changes the tree, with what is there before and after it: whoever looks after the process was killed on the way and started again
 * finds one of both, whole. Run on a disk by test/src/transfers/tree-crashes.test.ts, and on a real S3 server, with a process that is
 * killed, by test/storage/tree-crashes.test.ts.
 *
 * Paths begin with the name of a mount, `a` or `b`; in each file is its own first path.
 */
export interface TreeCrash {
  readonly before: readonly string[];
  readonly act: readonly [verb: Verb, from: string, to?: string];
  /** Contents by their paths. */
  readonly after: Readonly<Record<string, string>>;
  /** What shares of these files show afterwards, a content or the status of a refusal; the others show what they did. */
  readonly shows?: Readonly<Record<string, string>>;
}

/** MOVE and COPY of WebDAV, calls over REST, and PutObject of S3. */
type Verb = "move" | "copy" | "rename" | "remove" | "put";

/** What is written in place of a file. */
const NEW = "new";

const folder = ["a/n/1", "a/n/new/3"];
const oldFolder = ["a/d/1", "a/d/gone/2"];
const moved = { "a/d/1": "a/n/1", "a/d/new/3": "a/n/new/3" };
const oldIsGone = { "a/d/1": "410", "a/d/gone/2": "410" };
const carried = { "b/d/1": "a/n/1", "b/d/new/3": "a/n/new/3" };

export const treeCrashes: Readonly<Record<string, TreeCrash>> = {
  "a MOVE of a file over a file": {
    before: ["a/f", "a/t"],
    act: ["move", "a/f", "a/t"],
    after: { "a/t": "a/f" },
    shows: { "a/t": "a/f" },
  },
  "a MOVE of a folder over a folder": {
    before: [...folder, ...oldFolder],
    act: ["move", "a/n", "a/d"],
    after: moved,
    shows: oldIsGone,
  },
  "a MOVE of a file over a folder": {
    before: ["a/f", "a/d/1"],
    act: ["move", "a/f", "a/d"],
    after: { "a/d": "a/f" },
    shows: { "a/d/1": "410" },
  },
  "a MOVE of a folder over a file": {
    before: [...folder, "a/d"],
    act: ["move", "a/n", "a/d"],
    after: moved,
    shows: { "a/d": "410" },
  },
  "a COPY over a file": {
    before: ["a/f", "a/t"],
    act: ["copy", "a/f", "a/t"],
    after: { "a/f": "a/f", "a/t": "a/f" },
    shows: { "a/t": "a/f" },
  },
  "a COPY of a folder over a folder": {
    before: [...folder, ...oldFolder],
    act: ["copy", "a/n", "a/d"],
    after: { ...moved, "a/n/1": "a/n/1", "a/n/new/3": "a/n/new/3" },
    shows: oldIsGone,
  },
  "a rename of a file": { before: ["a/f"], act: ["rename", "a/f", "a/t"], after: { "a/t": "a/f" } },
  "a rename of a folder": { before: folder, act: ["rename", "a/n/", "a/d/"], after: moved },
  "a removal of a file": { before: ["a/f"], act: ["remove", "a/f"], after: {}, shows: { "a/f": "410" } },
  "a removal of a folder": { before: ["a/n/1"], act: ["remove", "a/n/"], after: {}, shows: { "a/n/1": "410" } },
  "a PUT over a file by S3": { before: ["a/f"], act: ["put", "a/f"], after: { "a/f": NEW }, shows: { "a/f": NEW } },
  "a MOVE of a file to another mount": { before: ["a/f"], act: ["move", "a/f", "b/t"], after: { "b/t": "a/f" } },
  "a MOVE over a file of another mount": {
    before: ["a/f", "b/t"],
    act: ["move", "a/f", "b/t"],
    after: { "b/t": "a/f" },
    shows: { "b/t": "a/f" },
  },
  "a MOVE of a folder to another mount": { before: folder, act: ["move", "a/n", "b/d"], after: carried },
  "a MOVE over a folder of another mount": {
    before: [...folder, "b/d/1", "b/d/gone/9"],
    act: ["move", "a/n", "b/d"],
    after: carried,
    shows: { "b/d/1": "410", "b/d/gone/9": "410" },
  },
  "a MOVE of a file over a folder of another mount": {
    before: ["a/f", "b/d/1"],
    act: ["move", "a/f", "b/d"],
    after: { "b/d": "a/f" },
    shows: { "b/d/1": "410" },
  },
};

/** A server, and who asks it. */
export interface CrashServer {
  readonly origin: string;
  readonly now: () => number;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of the administrator. */
  readonly admin: Readonly<Record<string, string>>;
  /** An API key. */
  readonly key: { readonly s3_access_key_id: string; readonly key: string };
}

/** Shares by the files that they were made of. */
export type Slugs = ReadonlyMap<string, string>;

/** Where one change is made: `at` answers the path of one of its paths. */
export function crashIn({ send, admin, ...server }: CrashServer, one: TreeCrash, at: (path: string) => string) {
  const { before, after, act, shows = {} } = one;
  const [verb, source, target = ""] = act;
  const dav = (method: string, path: string, { headers = {}, ...init }: RequestInit & { headers?: object } = {}) =>
    send(davUrl(path), { method, ...init, headers: { ...admin, ...headers } });
  const rest = async (endpoint: { readonly method: string; readonly path: string }, body: object): Promise<Response> =>
    await send(`/api${endpoint.path}`, { method: endpoint.method, headers: admin, body: JSON.stringify(body) });

  const putByS3 = async (path: string): Promise<Response> => {
    const payloadHash = new Bun.CryptoHasher("sha256").update(NEW).digest("hex");
    const credentials = { accessKey: server.key.s3_access_key_id, secret: server.key.key };
    const options = { credentials, region: "us-east-1", now: server.now(), headers: {}, payloadHash };
    const { url, headers } = createSigner().sign("PUT", server.origin + encodeKey(path), options);
    const length = { "content-length": String(NEW.length) };
    return await send(url, { method: "PUT", headers: { ...length, ...headers }, body: NEW });
  };

  const copyOrMove = (method: string) => dav(method, at(source), { headers: { destination: davUrl(at(target)) } });
  const verbs: Readonly<Record<Verb, () => Promise<Response>>> = {
    move: () => copyOrMove("MOVE"),
    copy: () => copyOrMove("COPY"),
    rename: () => rest(api.rename, { oldPath: at(source), newPath: at(target) }),
    remove: () => rest(api.batchRemove, { paths: [at(source)] }),
    put: () => putByS3(at(source)),
  };

  const text = async (path: string): Promise<string> => {
    const response = await dav("GET", path);
    return response.ok ? await response.text() : String(response.status);
  };

  /** Contents of all files, and folders without any, by their paths below a folder. */
  const filesBelow = async (path: string, name: string): Promise<Record<string, string>> => {
    const response = await send(urlOf(api.list, { path }), { headers: admin });
    if (response.status === 404) return {};
    const { data } = (await response.json()) as { data: { items: { name: string; isDirectory: boolean }[] } };
    const all: Record<string, string> = {};
    for (const item of data.items) {
      const below = `${name}/${item.name}`;
      if (!item.isDirectory) all[below] = await text(`${path}/${item.name}`);
      else {
        const inside = await filesBelow(`${path}/${item.name}`, below);
        Object.assign(all, Object.keys(inside).length > 0 ? inside : { [`${below}/`]: "nothing" });
      }
    }
    return all;
  };

  const shown = async (slug: string | undefined): Promise<string> => {
    const response = await send(`/api/file-view/${slug}`, {});
    const said = await response.text();
    return response.ok ? said : String(response.status);
  };

  const shownOf = async (slugs: Slugs): Promise<Record<string, string>> => {
    const all: Record<string, string> = {};
    for (const [path, slug] of slugs) all[path] = await shown(slug);
    return all;
  };

  /** The first file of what is changed, which has a property of WebDAV, and where it comes to. */
  const first = before.find((path) => path.startsWith(source)) ?? "";
  const moves = verb === "move" || verb === "rename" ? target + first.slice(source.length) : undefined;
  const beforeOf = Object.fromEntries(before.map((path) => [path, path]));

  return {
    /** Makes what is there before, with a share of each file. */
    async arrange(): Promise<Slugs> {
      const slugs = new Map<string, string>();
      const above = before.flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)));
      for (const path of new Set(["a", "b", ...above])) await dav("MKCOL", at(path));
      for (const path of before) {
        expect((await dav("PUT", at(path), { body: path })).status).toBe(201);
        const shared = await rest(api.createShare, { path: at(path) });
        slugs.set(path, ((await shared.json()) as { data: { slug: string } }).data.slug);
      }
      expect((await dav("PROPPATCH", at(first), { body: setting("<x:p>kept</x:p>") })).status).toBe(207);
      return slugs;
    },

    act: async (): Promise<number> => {
      const response = await verbs[verb]();
      await response.arrayBuffer();
      return response.status;
    },

    /**
     * What must hold from the first answer on, also while a start still brings to an end what was begun: no file is away that is there
     * before and afterwards. Answers those that are.
     */
    async lost(slugs: Slugs): Promise<string[]> {
      const kept = before.filter((path) => shows[path] === undefined);
      const said = await Promise.all(kept.map((path) => shown(slugs.get(path))));
      const opened = kept.flatMap((path, index) => (said[index] === path ? [] : [`share of ${path}: ${said[index]}`]));
      const standing = before.filter((path) => after[path] !== undefined);
      const texts = await Promise.all(standing.map((path) => text(at(path))));
      const whole = standing.flatMap((path, index) =>
        [path, after[path]].includes(texts[index]) ? [] : [`${path}: ${texts[index]}`],
      );
      return [...opened, ...whole];
    },

    /** Whether it was made. Fails when neither the old is there nor the new, or both are, or when others have not heard of it. */
    async isMade(slugs: Slugs, when: unknown): Promise<boolean> {
      const files = { ...(await filesBelow(at("a"), "a")), ...(await filesBelow(at("b"), "b")) };
      const isMade = !Bun.deepEquals(files, beforeOf);
      expect({ when, files }).toEqual({ when, files: isMade ? { ...after } : beforeOf });
      const shares = await shownOf(slugs);
      expect({ when, isMade, shares }).toEqual({ when, isMade, shares: isMade ? { ...beforeOf, ...shows } : beforeOf });
      const there = isMade ? moves : first;
      if (there === undefined) return isMade;
      const found = await dav("PROPFIND", at(there), { headers: { depth: "0" }, body: asking("<x:p/>") });
      const [resource] = resources({ status: found.status, text: await found.text() });
      const kept = resource?.properties["{urn:x}p"];
      expect({ when, isMade, kept }).toEqual({ when, isMade, kept: "kept" });
      return isMade;
    },

    /** Checks that what was deleted is whole in the trash, and comes back with its shares beside what is there now. */
    async comesBack(slugs: Slugs, when: unknown): Promise<void> {
      if (verb !== "remove") return;
      const listed = await send(urlOf(fsTrash.list, { limit: 100 }), { headers: admin });
      const { data } = (await listed.json()) as { data: { items: { id: string; path: string }[] } };
      const ids = data.items.filter(({ path }) => path === at(source)).map(({ id }) => id);
      expect({ when, kept: ids.length }).toEqual({ when, kept: 1 });
      const restored = await rest(fsTrash.restore, { ids });
      expect({ when, status: restored.status }).toEqual({ when, status: 200 });
      const said = await shownOf(slugs);
      expect({ when, said }).toEqual({ when, said: beforeOf });
    },

    /** Checks, when it was made, that what somebody writes where a file was is none of its share's. */
    async isFollowed(slugs: Slugs, when: unknown): Promise<void> {
      if (after[first] !== undefined) return;
      expect((await rest(api.update, { path: at(first), content: "somebody else's" })).status).toBe(200);
      const said = await shown(slugs.get(first));
      expect({ when, first, said }).toEqual({ when, first, said: shows[first] ?? first });
    },
  };
}
