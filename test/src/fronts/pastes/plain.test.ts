import { expect, test } from "bun:test";
import { openTestHouse } from "../../../support/test-house.ts";

test("a text says whether it is meant as it is written, and keeps that until it is changed", async () => {
  await using house = await openTestHouse();
  const authorization = `Bearer ${await house.signIn()}`;
  const send = async (method: string, path: string, body: unknown) =>
    (await house.request(path, { method, headers: { authorization }, body: JSON.stringify(body) })).status;
  const isPlain = async (path: string) => {
    const answer = (await (await house.request(path, { headers: { authorization } })).json()) as {
      plain?: boolean;
      data?: { plain: boolean };
    };
    return answer.data ? answer.data.plain : answer.plain;
  };
  const both = () => Promise.all([isPlain("/api/paste/log"), isPlain("/api/pastes/log")]);
  expect(await send("POST", "/api/paste", { content: "# a", slug: "log", plain: true })).toBe(201);
  expect(await both()).toEqual([true, true]);
  expect(await send("PUT", "/api/pastes/log", { content: "# b" })).toBe(200);
  expect(await both()).toEqual([true, true]);
  expect(await send("PUT", "/api/pastes/log", { plain: false })).toBe(200);
  expect(await both()).toEqual([false, false]);
  expect(await send("POST", "/api/paste", { content: "# a", plain: "yes" })).toBe(400);
});
