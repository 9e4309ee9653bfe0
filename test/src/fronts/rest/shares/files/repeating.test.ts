import { describe, expect, test } from "bun:test";
import { uploads } from "#contract/uploads";
import { ask, commit, put, remains } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const MiB = 1024 * 1024;
const key = (name: string) => ({ "idempotency-key": name });
const whole = { filename: "a.txt", size: 5, slug: "once" };
const parts = { filename: "big.bin", size: 6 * MiB, part_size: 5 * MiB, slug: "once" };

const ways = [
  [
    "presign",
    (house: TestHouse, body: object = {}, name = "k") =>
      ask(house, uploads.presign, { body: { ...whole, ...body } }, key(name)),
  ],
  [
    "init",
    (house: TestHouse, body: object = {}, name = "k") =>
      ask(house, uploads.begin, { body: { ...parts, ...body } }, key(name)),
  ],
] as const;

describe.each(ways)("a beginning by %s that got no answer", (_, begin) => {
  test("may be repeated: it is the same share, also when both come at once", async () => {
    await using house = await openTestHouse();
    const answers = await Promise.all([begin(house), begin(house), begin(house)]);
    const first = answers[0].data;
    for (const { status, data } of answers)
      expect({ status, id: data.file_id, slug: data.slug }).toEqual({ status: 200, id: first.file_id, slug: "once" });
    expect((await begin(house)).data.file_id).toBe(first.file_id);
    expect(await remains(house)).toMatchObject({ shares: 1, uploads: 1 });
  });

  test("is another under another key, and refused when the key stood for something else", async () => {
    await using house = await openTestHouse();
    await begin(house);
    expect(await begin(house, {}, "other")).toMatchObject({ status: 409, error: "slug.taken" });
    expect(await begin(house, { remark: "different" })).toMatchObject({ status: 409, error: "request.differs" });
    expect(await begin(house, { password: "now" })).toMatchObject({ status: 409, error: "request.differs" });
    expect(await remains(house)).toMatchObject({ shares: 1, uploads: 1 });
  });

  test("is forgotten after a day", async () => {
    await using house = await openTestHouse();
    const first = await begin(house, { slug: "" });
    house.clock.advance(25 * 3_600_000);
    await house.house.system.sweeper.sweep();
    expect((await begin(house, { slug: "" })).data.file_id).not.toBe(first.data.file_id);
  });
});

test("repeated after the share was finished it still answers that share", async () => {
  await using house = await openTestHouse();
  const [, begin] = ways[0];
  const { data } = await begin(house);
  await put(house, data.upload_url, "hello");
  await commit(house, data.file_id);
  const again = await begin(house);
  expect(again.data.file_id).toBe(data.file_id);
  expect((await put(house, again.data.upload_url, "wrong")).status).toBe(409);
  expect((await commit(house, data.file_id)).data.slug).toBe("once");
});
