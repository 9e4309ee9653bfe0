import { describe, expect, test } from "bun:test";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

const MiB = 1024 ** 2;

async function post(house: TestHouse, body: string | ReadableStream<Uint8Array>) {
  const headers = { authorization: `Bearer ${await house.signIn()}` };
  const response = await house.request("/api/paste", { method: "POST", headers, body });
  return { status: response.status, answer: (await response.json()) as { slug?: string; error?: string } };
}

const raw = async (house: TestHouse, slug = "") => await (await house.request(`/api/raw/${slug}`)).text();

describe("a body that a thread parses", () => {
  test.each([
    ["plain text", JSON.stringify("a line\t".repeat(MiB / 4)), "a line\t".repeat(MiB / 4)],
    ["Chinese", JSON.stringify("汉字".repeat(MiB / 4)), "汉字".repeat(MiB / 4)],
    ["quotes and line ends", JSON.stringify('"\n'.repeat(MiB)), '"\n'.repeat(MiB)],
    ["backslashes", JSON.stringify("\\".repeat(MiB)), "\\".repeat(MiB)],
    ["escaped letters", `"${"\\u6c49".repeat(MiB / 4)}"`, "汉".repeat(MiB / 4)],
    ["brackets inside a text", JSON.stringify("[{,".repeat(MiB / 2)), "[{,".repeat(MiB / 2)],
  ])("comes through as it was sent: %s", async (_, json, text) => {
    await using house = await openTestHouse();
    const { status, answer } = await post(house, `{"content":${json}}`);
    expect(status).toBe(201);
    expect((await raw(house, answer.slug)) === text).toBe(true);
  });

  test("comes through without a declared length, too", async () => {
    await using house = await openTestHouse();
    const text = "汉字 ".repeat(MiB / 4);
    const { status, answer } = await post(house, new Blob([JSON.stringify({ content: text })]).stream());
    expect(status).toBe(201);
    expect((await raw(house, answer.slug)) === text).toBe(true);
  });

  test.each([
    ["that is cut", `{"content":"${"x".repeat(2 * MiB)}`],
    ["that is no JSON", "x".repeat(2 * MiB)],
    ["that nests too deep", `{"content":"x","more":${"[".repeat(100)}${"]".repeat(100)},"x":"${"x".repeat(2 * MiB)}"}`],
    ["with too many values", `{"content":"x","more":[${"1,".repeat(MiB)}1]}`],
    ["of nothing but blanks", " ".repeat(2 * MiB)],
  ])("is refused when it is one %s", async (_, body) => {
    await using house = await openTestHouse();
    expect(await post(house, body)).toMatchObject({ status: 400, answer: { error: "body.malformed" } });
  });

  test("cannot change what objects are", async () => {
    await using house = await openTestHouse();
    const { status } = await post(house, `{"__proto__":{"content":"x"},"more":"${"x".repeat(2 * MiB)}"}`);
    expect(status).toBe(400);
  });
});

test("many of them are parsed, each for whoever sent it", async () => {
  await using house = await openTestHouse();
  const texts = Array.from({ length: 6 }, (_, index) => `${index} `.repeat(MiB / 2));
  const answers = await Promise.all(texts.map((content) => post(house, JSON.stringify({ content }))));
  for (const [index, { answer }] of answers.entries())
    expect((await raw(house, answer.slug)) === texts[index]).toBe(true);
});
