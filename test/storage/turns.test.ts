import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { MiB } from "../suites/store-bodies.ts";
import { davCalls } from "../support/clients/dav.ts";
import { answerOf, callsOf } from "../support/clients/s3.ts";
import { slowBody } from "../support/clients/slow-body.ts";
import { makeAtOnce } from "../support/stores/s3-completion.ts";
import { openS3Tree } from "../support/tree/on-s3.ts";

/** Changes of one path of a storage elsewhere, which publishes what it has got: the bytes of slow senders come before their turns. */

async function open() {
  const tree = await openS3Tree({ mount_path: "/cloud" });
  const [dav, s3] = [davCalls(tree.house), await callsOf(tree.house)];
  return {
    ...tree,
    dav,
    front: s3,
    etag: async () => (await dav.send("HEAD", "/cloud/a")).headers.get("etag") ?? "",

    /** Begins to write so many bytes; `end` sends the last of them and answers the status. */
    async begin({ door, size, known }: Kind, headers: Readonly<Record<string, string>>) {
      const { body, begun, finish } = slowBody("x".repeat(size - 4), "mine");
      const length: Record<string, string> = known ? { "content-length": String(size) } : {};
      const send = async (): Promise<number> => {
        if (door === "WebDAV") return await dav.status("PUT", "/cloud/a", { body, headers: { ...headers, ...length } });
        const signed = s3.signed("PUT", "/cloud/a", { hash: "UNSIGNED-PAYLOAD", headers });
        const init = { method: "PUT", headers: { ...signed.headers, ...length }, body };
        return (await answerOf(await tree.house.request(signed.url, init))).status;
      };
      const sent = send();
      await Promise.race([begun, sent]);
      return {
        async end(): Promise<number> {
          finish();
          return await sent;
        },
      };
    },
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}

interface Kind {
  readonly door: "WebDAV" | "S3";
  readonly size: number;
  /** Whether the length is said. */
  readonly known: boolean;
}

const kinds: readonly (readonly [string, Kind])[] = [
  ["a few bytes through WebDAV", { door: "WebDAV", size: 9, known: true }],
  ["a stream through WebDAV", { door: "WebDAV", size: MiB, known: true }],
  ["parts through WebDAV", { door: "WebDAV", size: 6 * MiB, known: false }],
  ["a few bytes through S3", { door: "S3", size: 9, known: true }],
  ["a stream through S3", { door: "S3", size: MiB, known: true }],
];

describe.each(kinds)("a PUT under a condition of %s that come slowly", (_, kind) => {
  test("keeps nobody waiting, and is refused at its end", async () => {
    await using room = await open();
    await room.write("/cloud/a", "old");
    const first = await room.begin(kind, { "if-match": await room.etag() });
    const theirs = { body: "theirs", headers: { "if-match": await room.etag() } };
    expect(await room.dav.status("PUT", "/cloud/a", theirs)).toBe(204);
    expect([await first.end(), await room.text("/cloud/a")]).toEqual([412, "theirs"]);

    const second = await room.begin(kind, { "if-match": await room.etag() });
    const { status } = await room.call(fs.rename, { body: { oldPath: "/cloud/a", newPath: "/cloud/b" } });
    expect([status, await second.end(), await room.names("/cloud")]).toEqual([200, 412, "b"]);

    const third = await room.begin(kind, { "if-none-match": "*" });
    await room.write("/cloud/a", "new");
    const removal = await room.front.send("DELETE", "/cloud/a", { headers: { "if-match": await room.etag() } });
    await room.write("/cloud/a", "newer");
    expect([removal.status, await third.end(), await room.text("/cloud/a")]).toEqual([204, 412, "newer"]);
    expect(await room.s3.unfinished()).toEqual([]);
  });

  test("makes the file for one of two", async () => {
    await using room = await open();
    const slow = [await room.begin(kind, { "if-none-match": "*" }), await room.begin(kind, { "if-none-match": "*" })];
    const statuses = await Promise.all(slow.map(({ end }) => end()));
    expect(statuses.toSorted()).toEqual([kind.door === "S3" ? 200 : 201, 412]);
    expect((await room.text("/cloud/a")).length).toBe(kind.size);
  });
});

test("of several uploads in parts that may only make a file one does", async () => {
  await using room = await open();
  expect(await makeAtOnce(room.front, "/cloud/a", 3)).toEqual([
    "200",
    "412 PreconditionFailed",
    "412 PreconditionFailed",
  ]);
});
