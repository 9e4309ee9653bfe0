import { describe, expect, test } from "bun:test";
import { MAX_PASSKEY_CHARACTERS, MAX_SEALED_KEY_CHARACTERS, MAX_SEALED_KEYS } from "#contract/limits";
import { sealedKeys as api, type NewSealedKey, type SealedKey } from "#contract/sealed-keys";
import { sql } from "../../../../src/database/sql.ts";
import { newIdentity, recipientOf } from "../../../../web/sealed/locks.ts";
import { sealNames } from "../../../../web/sealed/names.ts";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../support/tree/tree-house.ts";

/** Links whose files are sealed for their owner, and the keys that open them, which the server keeps and cannot read. */

const identity = await newIdentity();
const recipient = await recipientOf(identity);
const sealed = await sealNames({ name: "a", type: "text/plain", kind: "file", size: 0 }, { identity });
const key: NewSealedKey = { recipient, passkey: `AGE-PLUGIN-FIDO2PRF-1${"Q".repeat(80)}`, sealed };

function keyCalls({ house, admin }: TreeCalls) {
  const send = async <Data>(method: string, path: string, who: Who, body?: unknown) => {
    const init = { method, headers: who, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await house.request(`/api${path}`, init);
    return { ...((await response.json()) as { data: Data; error?: string }), status: response.status };
  };
  return {
    keep: (body: unknown = key, who: Who = admin) => send<SealedKey>("POST", api.create.path, who, body),
    list: async (who: Who = admin) => (await send<{ keys: SealedKey[] }>("GET", api.list.path, who)).data.keys,
    remove: (id: string, who: Who = admin) => send<undefined>("DELETE", api.remove.path.replace(":id", id), who),
  };
}

describe("a link", () => {
  test("says its recipient to its owner, and to senders only that there is one", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/box/there.txt");
    const { make, open, get, update } = linkCalls(tree);
    const link = await make(["/m/box/"], { rights: ["upload"], recipient });
    expect(link).toMatchObject({ recipient, url: `/in/${link.slug}#${recipient}` });
    const visit = await open(link.slug);
    expect(visit.data.taking?.sealed).toBe(true);
    expect(JSON.stringify(visit)).not.toContain("age1");
    const other = await recipientOf(await newIdentity());
    expect((await update(link.id, { recipient: other })).data.recipient).toBe(other);
    expect((await update(link.id, { note: "x" })).data.recipient).toBe(other);
    expect((await update(link.id, { recipient: null })).data.recipient).toBe(null);
    expect((await open(link.slug)).data.taking?.sealed).toBe(false);
    expect((await get(link.id)).data.recipient).toBe(null);
  });

  test("that shows something, or takes some kinds only, has none", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/box/there.txt");
    const { make, update } = linkCalls(tree);
    const box = await make(["/m/box/"], { rights: ["upload"], recipient });
    for (const change of [{ rights: ["view", "upload"] }, { kinds: [".pdf"] }])
      expect(await update(box.id, change)).toMatchObject({ status: 400, error: "link.recipient" });
    expect((await update(box.id, { kinds: [".pdf"], recipient: null })).status).toBe(200);
    const shown = await make(["/m/box/"]);
    expect(await update(shown.id, { recipient })).toMatchObject({ status: 400, error: "link.recipient" });
    for (const wrong of ["", "age1", recipient.toUpperCase(), `${recipient}q`, identity, 7])
      expect(await update(box.id, { recipient: wrong })).toMatchObject({ status: 400, error: "body.invalid" });
  });
});

describe("a kept key", () => {
  test("is its owner's alone, whatever becomes of the links", async () => {
    await using tree = await openTreeHouse();
    const { keep, list, remove } = keyCalls(tree);
    const owner = await makeKey(tree.house);
    const mine = withKey(owner);
    const other = withKey(await makeKey(tree.house));
    const made = await keep(key, mine);
    expect(made).toMatchObject({ status: 201, data: key });
    expect(await list(mine)).toEqual([made.data]);
    for (const who of [tree.admin, other]) {
      expect(await list(who)).toEqual([]);
      expect(await remove(made.data.id, who)).toMatchObject({ status: 404, error: "sealed.keyMissing" });
    }
    expect((await keep(key, {})).status).toBe(401);
    const noRight = withKey(await makeKey(tree.house, { permissions: ["text"] }));
    expect((await keep(key, noRight)).status).toBe(403);
    expect((await keep()).status).toBe(201);
    await tree.house.house.access.keys.remove(owner.id);
    await tree.house.house.links.sealedKeys.sweep();
    expect(await tree.house.db.all(sql`select owner from sealed_keys`)).toEqual([{ owner: "admin" }]);
    const [last] = await list();
    expect((await remove(last?.id ?? "")).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  test("is what a browser makes, and no more of them than a list shows", async () => {
    await using tree = await openTreeHouse();
    const { keep, list } = keyCalls(tree);
    const wrong: readonly Partial<Record<keyof NewSealedKey, unknown>>[] = [
      { recipient: "age1" },
      { recipient: undefined },
      { passkey: identity },
      { passkey: `AGE-PLUGIN-FIDO2PRF-1${"Q".repeat(MAX_PASSKEY_CHARACTERS)}` },
      { passkey: `AGE-PLUGIN-FIDO2PRF-1QQ\n${"Q".repeat(9)}` },
      { sealed: identity },
      { sealed: `${sealed}!` },
      { sealed: sealed + "A".repeat(MAX_SEALED_KEY_CHARACTERS) },
    ];
    for (const part of wrong)
      expect(await keep({ ...key, ...part })).toMatchObject({ status: 400, error: "body.invalid" });
    for (let count = 0; count < MAX_SEALED_KEYS; count++) expect((await keep()).status).toBe(201);
    expect(await keep()).toMatchObject({ status: 409, error: "sealed.tooManyKeys" });
    expect(await list()).toHaveLength(MAX_SEALED_KEYS);
  });
});
