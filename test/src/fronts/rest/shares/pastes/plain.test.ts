import { expect, test } from "bun:test";
import { openTestHouse } from "../../../../../support/test-house.ts";

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

test("what is no Markdown is recognised where the caller does not say, and the request stays the same request", async () => {
  await using house = await openTestHouse();
  const authorization = `Bearer ${await house.signIn()}`;
  const share = async (body: Readonly<Record<string, unknown>>) => {
    const headers = { authorization, "idempotency-key": "the-same-request-key" };
    const answer = await house.request("/api/paste", { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, slug: ((await answer.json()) as { slug?: string }).slug };
  };
  const isPlain = async (content: string, plain?: boolean) => {
    const body = JSON.stringify({ content, plain });
    const made = await house.request("/api/paste", { method: "POST", headers: { authorization }, body });
    const { slug } = (await made.json()) as { slug: string };
    return ((await (await house.request(`/api/paste/${slug}`)).json()) as { plain: boolean }).plain;
  };
  const script = "#!/bin/sh\n# Deploys the site\nrsync -a dist/ web:/srv\n";
  expect(await isPlain(script)).toBe(true);
  expect(await isPlain('{"a":1}')).toBe(true);
  expect(await isPlain("# Title\n\nSome words.\n")).toBe(false);
  expect(await isPlain(script, false)).toBe(false);
  expect(await isPlain("# Title", true)).toBe(true);

  const { status, slug } = await share({ content: script });
  expect(status).toBe(201);
  expect(await share({ content: script })).toEqual({ status: 201, slug });
  expect((await share({ content: script, plain: true })).status).toBe(409);
});
