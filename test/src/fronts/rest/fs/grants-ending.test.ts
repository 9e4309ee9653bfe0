import { describe, expect, test } from "bun:test";
import { admin as api } from "#contract/admin";
import { fsBytes } from "#contract/fs/bytes";
import { bitsOf } from "#contract/permissions";
import type { ApiKey } from "../../../../../src/access/keys.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { ADMIN } from "../../../../support/test-house.ts";
import { openTreeHouse, type TreeCalls, urlOf, type Who } from "../../../../support/tree/tree-house.ts";

/** Links end when their maker loses the credential or the right. */

/** The addresses that somebody can be given: of the whole tree, of a file, and the link that names its end. */
async function linksOf(tree: TreeCalls, who: Who): Promise<string[]> {
  const { data } = await tree.call(fsBytes.grant, { body: { paths: ["/"] } }, who);
  const link = await tree.call(fsBytes.fileLink, { query: { path: "/m/a" } }, who);
  const shown = await tree.house.request("/api/fs/get?path=/m/a", { headers: who });
  const { data: got } = (await shown.json()) as { data: { download_url: string } };
  return [urlOf(fsBytes.zip, { path: "/", grant: data.grant }), link.data.presignedUrl, got.download_url];
}

const statuses = async ({ house }: TreeCalls, links: readonly string[]): Promise<number[]> =>
  await Promise.all(links.map(async (link) => (await house.request(link)).status));

const HOLD = [200, 200, 200];
const VOID = [403, 403, 403];

async function open() {
  const tree = await openTreeHouse();
  await tree.put("/m/a");
  return tree;
}

describe("the administrator's links", () => {
  const change = async (tree: TreeCalls, body: object): Promise<number> => {
    const headers = { authorization: `Bearer ${await tree.house.signIn()}` };
    const init = { method: api.changePassword.method, headers, body: JSON.stringify(body) };
    return (await tree.house.request(`/api${api.changePassword.path}`, init)).status;
  };

  test.each([
    ["password", { currentPassword: ADMIN.password, newPassword: "battery staple" }],
    ["name", { currentPassword: ADMIN.password, newUsername: "root" }],
  ])("end with the %s", async (_, body) => {
    await using tree = await open();
    const links = await linksOf(tree, tree.admin);
    expect(await statuses(tree, links)).toEqual(HOLD);
    expect(await change(tree, body)).toBe(200);
    expect(await statuses(tree, links)).toEqual(VOID);
    const again = await linksOf(tree, { authorization: `Bearer ${await tree.house.signIn()}` });
    expect(await statuses(tree, again)).toEqual(HOLD);
  });

  test("end when the terminal resets the account", async () => {
    await using tree = await open();
    const links = await linksOf(tree, tree.admin);
    await tree.house.house.access.admin.reset();
    expect(await statuses(tree, links)).toEqual(VOID);
  });

  test("to a file outlive the session, and one to an archive ends with it", async () => {
    await using tree = await open();
    const links = await linksOf(tree, tree.admin);
    const another = await linksOf(tree, { authorization: `Bearer ${await tree.house.signIn()}` });
    const { status } = await tree.house.request(`/api${api.logout.path}`, { method: "POST", headers: tree.admin });
    expect(status).toBe(200);
    expect(await statuses(tree, links)).toEqual([403, 200, 200]);
    expect(await statuses(tree, another)).toEqual(HOLD);
  });
});

describe("a key's links", () => {
  type Change = (tree: TreeCalls, key: ApiKey) => unknown;
  const keysOf = ({ house }: TreeCalls) => house.house.access.keys;

  const ending: readonly (readonly [string, Change])[] = [
    ["it is deleted", (tree, { id }) => keysOf(tree).remove(id)],
    ["a right is taken from it", (tree, { id }) => keysOf(tree).update(id, { permissions: bitsOf(["mount_view"]) })],
    ["it gets another base path", (tree, { id }) => keysOf(tree).update(id, { basic_path: "/m" })],
    ["it gets another expiry", (tree, { id }) => keysOf(tree).update(id, { expires_at: "2090-01-01T00:00:00Z" })],
    ["it becomes the visitors' one", (tree, { id }) => keysOf(tree).update(id, { is_guest: true })],
    [
      "its rights are changed and changed back",
      async (tree, { id, permissions }) => {
        await keysOf(tree).update(id, { permissions: 0 });
        tree.house.clock.advance(1);
        await keysOf(tree).update(id, { permissions });
      },
    ],
  ];

  test.each([...ending])("end when %s", async (_, change) => {
    await using tree = await open();
    const key = await makeKey(tree.house);
    const links = await linksOf(tree, withKey(key));
    expect(await statuses(tree, links)).toEqual(HOLD);
    await change(tree, key);
    expect(await statuses(tree, links)).toEqual(VOID);
  });

  test("outlive its use", async () => {
    await using tree = await open();
    const key = await makeKey(tree.house);
    const links = await linksOf(tree, withKey(key));
    tree.house.clock.advance(1000);
    await tree.list("/m", withKey(key));
    await keysOf(tree).list();
    expect(await statuses(tree, links)).toEqual(HOLD);
  });
});

test("whoever has lost the account makes no link with a request that was under way", async () => {
  await using tree = await open();
  const { grants } = tree.house.house.vfs;
  const { sessions, admin } = tree.house.house.access;
  const { id } = await sessions.open({ address: "192.0.2.1", userAgent: "" });
  await admin.reset();
  await expect(grants.make({ kind: "admin", sessionId: id }, ["/"])).rejects.toMatchObject({ code: "auth.expired" });
});
