import { expect, test } from "bun:test";
import { openTestHouse } from "../../support/test-house.ts";

const id = "7C2f1a7a-8e00-4000-8000-0000000000aB";
const slug = "7c2f1a7a8e00400080000000000000ab";

test("addresses of Pingvin Share lead to where its shares are here", async () => {
  await using house = await openTestHouse();
  const leadsTo = async (path: string, init: RequestInit = {}) => {
    const { status, headers } = await house.request(path, { redirect: "manual", ...init });
    return status === 303 ? headers.get("location") : status;
  };
  expect(await leadsTo("/share/Album_2024-x")).toBe("/s/Album_2024-x");
  expect(await leadsTo("/share/Album_2024-x/?locale=de")).toBe("/s/Album_2024-x?locale=de");
  expect(await leadsTo("/share/Album", { method: "HEAD", headers: { "user-agent": "curl/8.9" } })).toBe("/s/Album");
  expect(await leadsTo(`/share/${id}`)).toBe(`/s/${slug}`);
  expect(await leadsTo(`/s/${id}`, { headers: { "user-agent": "curl/8.9" } })).toBe(`/s/${slug}`);
  expect(await leadsTo(`/upload/${id}`)).toBe(`/in/${slug}`);
  expect(await leadsTo("/share/%2F%2Fevil.example%3Fx")).toBe("/s/%2F%2Fevil.example%3Fx");
  expect(await leadsTo("/share/%E0%A4")).toBe(400);
  // Nothing else that is here moves.
  for (const path of ["/share", "/share/", "/share/a/b", "/upload", "/upload/", "/s/Album_2024-x", "/share-target"])
    expect(await leadsTo(path)).toBe(200);
});

test("below a base path they lead to what is below it, too", async () => {
  await using house = await openTestHouse({ basePath: "/satchel" });
  const { headers } = await house.request("/satchel/share/Album", { redirect: "manual" });
  expect(headers.get("location")).toBe("/satchel/s/Album");
});
