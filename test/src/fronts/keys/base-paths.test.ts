import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { mounts as mountsApi } from "#contract/mounts";
import { within } from "#contract/paths";
import { davCalls } from "../../../support/clients/dav.ts";
import { callTool } from "../../../support/clients/mcp.ts";
import { callsOf, type S3Calls, s3Calls, textsOf } from "../../../support/clients/s3.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { makeMount, mountOther } from "../../../support/make-mount.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";
import { type TreeCalls, treeCalls } from "../../../support/tree/tree-house.ts";

/** Every verb that lists, over S3, WebDAV, REST and MCP, shows a key what lies at its base path and below, and nothing else. */

/** Paths of mounts by their buckets: one in another, one in that, and one that shows the first storage again. */
const mounts = { drive: "/drive", "drive.team": "/drive/team", "drive.team.deep": "/drive/team/deep", again: "/again" };
const buckets = Object.keys(mounts) as (keyof typeof mounts)[];

/** What lies below `team` in the first storage is shadowed there, but not where that is shown again. */
const inFirst = ["file-a", "sub/file-b", "tea/file-c", "teams/file-d"];
const keys: Readonly<Record<keyof typeof mounts, readonly string[]>> = {
  drive: inFirst,
  "drive.team": ["file-e", "sub/file-f"],
  "drive.team.deep": ["file-g"],
  again: [...inFirst, "team/file-h"],
};
const files = buckets.flatMap((bucket) => keys[bucket].map((key) => ({ bucket, path: `${mounts[bucket]}/${key}` })));

const basePaths = [
  "/",
  "/drive",
  "/drive/sub",
  "/drive/te",
  "/drive/tea",
  "/drive/team",
  "/drive/team/sub",
  "/drive/team/deep",
  "/drive/team/deep/none",
  "/drive/none",
  "/again",
  "/again/sub",
  "/again/team",
  "/elsewhere",
];

let house: TestHouse;
let tree: TreeCalls;

beforeAll(async () => {
  house = await openTestHouse();
  tree = await treeCalls(house);
  await mountOther(house, mounts["drive.team"], true);
  await mountOther(house, mounts["drive.team.deep"], true);
  await makeMount(house, { name: "Again", mount_path: mounts.again });
  const s3 = await callsOf(house);
  for (const bucket of ["again", "drive.team", "drive.team.deep"] as const) {
    for (const key of keys[bucket]) {
      await s3.put(`/${bucket}/${key}`);
      await s3.send("POST", `/${bucket}/${key}`, { query: { uploads: "" } });
    }
  }
  await house.house.vfs.search.settled();
});
afterAll(async () => await house[Symbol.asyncDispose]());

/** All texts of an element on all pages of a list by S3. */
async function paged(s3: S3Calls, bucket: string, query: Record<string, string>, next: Record<string, string>) {
  const found: string[] = [];
  for (let more: Record<string, string> | undefined = {}; more; ) {
    const answer = await s3.send("GET", `/${bucket}`, { query: { ...query, ...more } });
    if (answer.code !== undefined) throw new Error(answer.code);
    found.push(...textsOf(answer, "Key"));
    const ends = Object.entries(next).map(([name, element]) => [name, textsOf(answer, element)[0] ?? ""]);
    more = textsOf(answer, "IsTruncated")[0] === "true" ? Object.fromEntries(ends) : undefined;
  }
  return found;
}

/** Keys by folders, as a client walks that shows a tree. */
async function byFolders(s3: S3Calls, bucket: string, prefix = ""): Promise<string[]> {
  const answer = await s3.send("GET", `/${bucket}`, { query: { "list-type": "2", delimiter: "/", prefix } });
  const [, ...folders] = textsOf(answer, "Prefix");
  return [...textsOf(answer, "Key"), ...(await Promise.all(folders.map((one) => byFolders(s3, bucket, one)))).flat()];
}

const second = { "continuation-token": "NextContinuationToken" };
const uploads = { "key-marker": "NextKeyMarker", "upload-id-marker": "NextUploadIdMarker" };

const ofBuckets: Readonly<Record<string, (s3: S3Calls, bucket: string) => Promise<string[]>>> = {
  ListObjects: (s3, bucket) => paged(s3, bucket, {}, { marker: "NextMarker" }),
  "ListObjects in pages": (s3, bucket) => paged(s3, bucket, { "max-keys": "1" }, { marker: "NextMarker" }),
  ListObjectsV2: (s3, bucket) => paged(s3, bucket, { "list-type": "2" }, second),
  "ListObjectsV2 in pages": (s3, bucket) => paged(s3, bucket, { "list-type": "2", "max-keys": "1" }, second),
  "ListObjectsV2 by a delimiter": (s3, bucket) => byFolders(s3, bucket),
  "ListObjectsV2 by prefixes": async (s3, bucket) =>
    (
      await Promise.all(
        ["f", "s", "sub/", "t", "team/"].map((prefix) => paged(s3, bucket, { "list-type": "2", prefix }, second)),
      )
    ).flat(),
  ListMultipartUploads: (s3, bucket) => paged(s3, bucket, { uploads: "" }, uploads),
  "ListMultipartUploads in pages": (s3, bucket) => paged(s3, bucket, { uploads: "", "max-uploads": "1" }, uploads),
};

interface McpEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "folder";
}
interface McpPage {
  readonly entries: readonly McpEntry[];
  readonly next_cursor: string | null;
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
/** A file of the first storage by the first of its two paths. */
const firstPath = (path: string) =>
  inFirst.some((key) => path === `/again/${key}`) ? path.replace("again", "drive") : path;

describe.each(basePaths)("a key of %s", (base) => {
  const own = files.filter(({ path }) => within(base, path));
  const key = () => makeKey(house, { basic_path: base });

  test("is shown by ListBuckets, and by the mounts over REST, what leads to its base path or lies below it", async () => {
    const made = await key();
    const isSeen = ({ path }: { path: string }) => within(base, path) || within(path, base);
    const seen = buckets.filter((bucket) => isSeen({ path: mounts[bucket] }));
    expect(sorted(textsOf(await s3Calls(house, made).send("GET", "/"), "Name"))).toEqual(sorted(seen));
    const { data } = await tree.call(mountsApi.visible, {}, withKey(made));
    expect(sorted(data.map(({ mount_path }) => mount_path))).toEqual(sorted(seen.map((bucket) => mounts[bucket])));
  });

  test.each(Object.entries(ofBuckets))("%s", async (_, list) => {
    const s3 = s3Calls(house, await key());
    const seen = textsOf(await s3.send("GET", "/"), "Name") as (keyof typeof mounts)[];
    const found = await Promise.all(
      seen.map(async (bucket) => (await list(s3, bucket)).map((one) => `${mounts[bucket]}/${one}`)),
    );
    expect(sorted(found.flat())).toEqual(sorted(own.map(({ path }) => path)));
  });

  test("walks by PROPFIND, and by lists of REST and MCP", async () => {
    const made = await key();
    const dav = davCalls(house, { authorization: `Basic ${Buffer.from(`any:${made.key}`).toString("base64")}` });
    const walked = async (names: (path: string) => Promise<string[]>, folder = "/"): Promise<string[]> => {
      const paths = (await names(folder)).map((name) => `${folder}${name}`);
      const inside = paths.filter((path) => path.endsWith("/")).map((path) => walked(names, path));
      return [...paths.filter((path) => !path.endsWith("/")), ...(await Promise.all(inside)).flat()];
    };
    const expected = sorted(own.map(({ path }) => path));
    const inRest = async (path: string) => {
      const names = await tree.names(path, withKey(made));
      return names === "path.missing" || names === "" ? [] : names.split(" ");
    };
    const inDav = async (path: string) => ((await dav.status("PROPFIND", path)) === 404 ? [] : await dav.names(path));
    expect(sorted(await walked(inDav))).toEqual(expected);
    expect(sorted(await walked(inRest))).toEqual(expected);
    const inMcp = async (path: string): Promise<string[]> => {
      const entries: McpEntry[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { content, isError } = await callTool<McpPage>(house, withKey(made), "list_folder", {
          path,
          limit: 1,
          cursor,
        });
        entries.push(...(isError ? [] : content.entries));
        cursor = isError ? null : content.next_cursor;
      }
      return entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name));
    };
    expect(sorted(await walked(inMcp))).toEqual(expected);
  });

  test("searches everywhere by MCP", async () => {
    const made = await key();
    const { data: seen } = await tree.call(mountsApi.visible, {}, withKey(made));
    for (const places of [[{}], seen.map(({ mount_path: path }) => ({ path }))]) {
      const found = await Promise.all(
        places.map((place) => callTool<McpPage>(house, withKey(made), "search_files", { query: "file", ...place })),
      );
      const paths = found.flatMap(({ content }) => content?.entries.map(({ path }) => path) ?? []);
      expect(paths.filter((path) => !within(base, path))).toEqual([]);
      expect(sorted(paths.map(firstPath))).toEqual(sorted(own.map(({ path }) => firstPath(path))));
    }
  });

  test.each(["global", "mount", "directory"] as const)("searches everywhere by scope %s", async (scope) => {
    const made = await key();
    const { data: seen } = await tree.call(mountsApi.visible, {}, withKey(made));
    const places =
      scope === "global"
        ? [{}]
        : seen.map(({ id, mount_path: path }) => (scope === "mount" ? { mount_id: id } : { path }));
    const found = await Promise.all(
      places.map((place) => tree.call(api.search, { query: { q: "file", scope, ...place } as never }, withKey(made))),
    );
    const paths = found.flatMap(({ data }) => data?.results.map(({ path }) => path) ?? []);
    expect(paths.filter((path) => !within(base, path))).toEqual([]);
    expect(sorted(paths.map(firstPath))).toEqual(sorted(own.map(({ path }) => firstPath(path))));
  });
});
