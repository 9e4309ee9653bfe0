import { describe, expect, test } from "bun:test";
import { fsBytes as fs } from "#contract/fs/bytes";
import { fs as api } from "#contract/fs/fs";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { scenarios } from "../../../../support/scenario.ts";
import { hours } from "../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";
import { treeFile } from "../../../../support/tree/files.ts";
import { openTreeHouse } from "../../../../support/tree/tree-house.ts";

interface Link {
  readonly presignedUrl: string;
  readonly name: string;
  readonly expiresIn: number;
  readonly expiresAt: string;
  readonly forceDownload: boolean;
}

const url = (query: Record<string, string>) => `/api${fs.fileLink.path}?${new URLSearchParams(query)}`;

async function link(house: TestHouse, query: Record<string, string>, headers: Record<string, string>): Promise<Link> {
  const response = await house.request(url({ path: "/drive/a b.txt", ...query }), { headers });
  return ((await response.json()) as { data: Link }).data;
}

describe("a link to a file", () => {
  test("holds as long as it was asked to, as long as the storage's addresses do otherwise", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a b.txt");
    const headers = withKey(await makeKey(house));
    for (const expires_in of ["null", ""]) expect((await link(house, { expires_in }, headers)).expiresIn).toBe(3600);
    const made = await link(house, { expires_in: "60" }, headers);
    expect(made).toMatchObject({
      name: "a b.txt",
      expiresIn: 60,
      expiresAt: new Date(house.clock.now() + 60_000).toISOString(),
      forceDownload: false,
    });
    expect(made.presignedUrl).toStartWith("http://satchel.test/api/fs/download?path=%2Fdrive%2Fa+b.txt&grant=");
    const shown = await house.request(made.presignedUrl);
    expect([await shown.text(), shown.headers.get("content-disposition")]).toEqual([
      "hello",
      'inline; filename="a b.txt"',
    ]);
    const forced = await link(house, { force_download: "true" }, headers);
    const kept = await house.request(forced.presignedUrl);
    expect([forced.forceDownload, kept.headers.get("content-disposition")]).toEqual([
      true,
      'attachment; filename="a b.txt"',
    ]);
    house.clock.advance(60_000);
    expect((await house.request(made.presignedUrl)).status).toBe(403);
    house.clock.advance(hours(1));
    expect((await house.request(forced.presignedUrl)).status).toBe(403);
  });

  const ask = { method: "GET", url: url({ path: "/drive/a.txt" }) } as const;
  scenarios(
    [
      { ...ask, status: 401 },
      { ...ask, as: { key: ["mount_upload"] }, status: 403, has: ["auth.forbidden"] },
      { ...ask, as: { key: ["mount_view"], basePath: "/drive/team" }, status: 403, has: ["path.forbidden"] },
      { ...ask, as: { key: ["mount_view"] }, status: 200, has: ["/api/fs/download?path=%2Fdrive%2Fa.txt&grant="] },
      { ...ask, as: "any key", url: url({ path: "/drive/b.txt" }), status: 404, has: ["path.missing"] },
      { ...ask, as: "any key", url: url({ path: "/drive" }), status: 400, has: ["path.isFolder"] },
      { ...ask, as: "any key", url: url({ path: "/drive/a.txt", expires_in: "0" }), status: 400 },
      { ...ask, as: "any key", url: url({ path: "/drive/a.txt", expires_in: "604801" }), status: 400 },
      { ...ask, as: "any key", url: url({ path: "/drive/a.txt", expires_in: "1e3" }), status: 400 },
    ],
    (house) => treeFile(house, "/drive/a.txt"),
  );
});

describe("an address of a file", () => {
  test("opens no folder that comes in its place, by whichever call", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/g.txt");
    const link = await tree.call(fs.fileLink, { query: { path: "/m/g.txt", expires_in: 604_800 } });
    const told = await tree.call(api.get, { query: { path: "/m/g.txt" } });
    const grants = [new URL(link.data.presignedUrl).searchParams.get("grant") ?? "", told.data.grant ?? ""];
    await tree.call(api.batchRemove, { body: { paths: ["/m/g.txt"] } });
    await tree.put("/m/g.txt/secret.txt");
    for (const grant of grants) {
      const fields = new URLSearchParams({ path: "/m/g.txt", grant });
      const answers = [
        await tree.house.request(`/api/fs/download?${fields}`),
        await tree.house.request(`/api/fs/zip?${fields}`),
        await tree.house.request("/api/fs/zip", { method: "POST", body: fields }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 403, 403]);
    }
  });
});
