import { describe, expect, test } from "bun:test";
import type { FailureCode } from "#contract/failures";
import type { FileChange } from "#contract/files";
import { type Passwords, sharePasswords } from "../../../src/access/passwords.ts";
import type { Caller } from "../../../src/access/principal.ts";
import { createFiles } from "../../../src/shares/files.ts";
import { createPastes } from "../../../src/shares/pastes.ts";
import { createTextQuotas } from "../../../src/shares/text-quotas.ts";
import { createDiskSpace } from "../../../src/stores/disk/space.ts";
import { shareFile } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** A share that changes between the moment it is found and the moment its view is spent. */

const admin: Caller = { kind: "admin", sessionId: "" };
const stranger = { address: "192.0.2.1", password: "sesame" };

/** What an opening comes to: `open`, `closed`, or the code of a failure. */
async function outcome(opening: Promise<{ open: boolean }>): Promise<string> {
  try {
    return (await opening).open ? "open" : "closed";
  } catch (error) {
    return (error as { code: FailureCode }).code;
  }
}

/** Runs something between the check of a password and what comes after it, the first time. */
function interrupted(passwords: Passwords, meanwhile: () => Promise<unknown>): Passwords {
  let done = false;
  return {
    ...passwords,
    async verify(...given) {
      const right = await passwords.verify(...given);
      if (!done) {
        done = true;
        await meanwhile();
      }
      return right;
    },
  };
}

/** The rooms of a house again, with a change that happens while the first password is being checked. */
function rooms(house: TestHouse, meanwhile: () => Promise<unknown>) {
  const { access, shares, settings, transfers, log } = house.house;
  const passwords = interrupted(sharePasswords("a secret for tests only"), meanwhile);
  const deps = {
    db: house.db,
    clock: house.clock.now,
    log,
    passwords,
    grants: shares.grants,
    limiter: access.limiter,
    limits: shares.limits,
    cluster: house.house.cluster,
  };
  const quotas = createTextQuotas({ db: house.db, settings });
  const disk = createDiskSpace({ folder: house.objects });
  return {
    files: createFiles({ ...deps, settings, transfers, callers: access.callers }),
    pastes: createPastes({ ...deps, quotas, disk }),
  };
}

const changes: [name: string, max_views: number, change: FileChange | "deletion" | "expiry", expected: string][] = [
  ["is deleted", 0, "deletion", "share.missing"],
  ["is deleted", 3, "deletion", "share.missing"],
  ["expires", 0, "expiry", "share.gone"],
  ["expires", 3, "expiry", "share.gone"],
  ["gets another password", 0, { password: "other" }, "password.wrong"],
  ["gets another password", 3, { password: "other" }, "password.wrong"],
  ["moves to another link", 0, { slug: "moved" }, "share.missing"],
  ["loses its password", 0, { password: "" }, "open"],
  ["gets a remark", 0, { remark: "new" }, "open"],
  ["gets a remark", 3, { remark: "new" }, "open"],
];

describe("while its password is being checked", () => {
  test.each(changes)("a file share that %s (of %d views)", async (_, max_views, change, expected) => {
    await using house = await openTestHouse();
    const expires_at = new Date(house.clock.now() + 1000).toISOString();
    const { id } = await shareFile(house, { slug: "s", password: "sesame", max_views, expires_at });
    const { files } = rooms(house, async () => {
      if (change === "deletion") await files.remove(admin, [id], false);
      else if (change === "expiry") house.clock.advance(1000);
      else await files.update(admin, id, change);
    });
    expect(await outcome(files.unlock("s", stranger))).toBe(expected);
    if (change !== "deletion" && change !== "expiry")
      expect((await files.read(admin, id)).views).toBe(expected === "open" ? 1 : 0);
  });

  test.each(changes)("a text share that %s (of %d views)", async (_, maxViews, change, expected) => {
    await using house = await openTestHouse();
    const expiresAt = new Date(house.clock.now() + 1000).toISOString();
    const { pastes } = rooms(house, async () => {
      if (change === "deletion") return await pastes.remove(admin, [id]);
      if (change === "expiry") return house.clock.advance(1000);
      const { slug: newSlug, password, ...rest } = change;
      return await pastes.update(admin, id, {
        ...rest,
        newSlug,
        password: password || undefined,
        clearPassword: password === "",
      });
    });
    const { id } = await pastes.create(admin, { content: "text", slug: "s", password: "sesame", maxViews, expiresAt });
    expect(await outcome(pastes.unlock("s", stranger))).toBe(expected);
  });
});

describe("before its answer spends the view", () => {
  const open = async (house: TestHouse, meanwhile: (attempt: number) => Promise<unknown>) => {
    let attempts = 0;
    const result = await outcome(
      house.house.shares.files.openFor("s", stranger, async (_, spend) => {
        attempts += 1;
        await meanwhile(attempts);
        return await spend();
      }),
    );
    return [result, attempts];
  };

  test("a share that is edited is answered anew; one that never rests is not", async () => {
    await using house = await openTestHouse();
    const { files } = house.house.shares;
    const { id } = await shareFile(house, { slug: "s", max_views: 2 });
    const edit = (attempt: number) => files.update(admin, id, { remark: `${attempt}` });
    expect(await open(house, async (attempt) => attempt === 1 && (await edit(1)))).toEqual(["open", 2]);
    expect(await open(house, edit)).toEqual(["server.busy", 3]);
    expect((await files.read(admin, id)).views).toBe(1);
  });

  test("a share whose last view another takes is gone", async () => {
    await using house = await openTestHouse();
    const { files } = house.house.shares;
    await shareFile(house, { slug: "s", max_views: 1 });
    expect(await open(house, () => files.open("s", stranger))).toEqual(["share.gone", 1]);
  });

  test("a failure of the answer itself spends nothing and is not tried again", async () => {
    await using house = await openTestHouse();
    const { files } = house.house.shares;
    const { id } = await shareFile(house, { slug: "s", max_views: 1 });
    const fail = () => files.read(admin, "nothing");
    expect(await open(house, fail)).toEqual(["share.missing", 1]);
    expect((await files.read(admin, id)).views).toBe(0);
  });
});
