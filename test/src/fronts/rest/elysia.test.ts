import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import * as z from "zod/mini";

/** The faults that fronts/rest/router.ts goes around. One that fails here is cured: what goes around it can go. */
describe("Elysia still", () => {
  const ask = (elysia: { handle(request: Request): Promise<Response> }, url: string, init?: RequestInit) =>
    elysia.handle(new Request(url, init));

  test("writes what was sent into the message of a failed validation", async () => {
    let message = "";
    const elysia = new Elysia().onError(({ error }) => {
      message = String((error as Error).message);
    });
    elysia.post("/", () => "", { body: z.object({ name: z.string() }) });
    const headers = { "content-type": "application/json" };
    await ask(elysia, "http://satchel.test/", { method: "POST", headers, body: '{"name":["what was sent"]}' });
    expect(message).toContain("what was sent");
  });

  test("splits a query value at its commas", async () => {
    const elysia = new Elysia().get("/", ({ query }) => JSON.stringify(query), {
      query: z.object({ path: z.unknown() }),
    });
    expect(await (await ask(elysia, "http://satchel.test/?path=/a,b")).json()).toEqual({ path: ["/a", "b"] });
  });

  test("runs GET for HEAD where a path with parameters has a route for each", async () => {
    const ran: string[] = [];
    const elysia = new Elysia()
      .get("/:id", () => void ran.push("GET"))
      .route("HEAD", "/:id", () => void ran.push("HEAD"));
    await ask(elysia, "http://satchel.test/one", { method: "HEAD" });
    expect(ran).toEqual(["GET"]);
  });

  test("loses the first folder of a path under a short host", async () => {
    const elysia = new Elysia().get("/admin/x", () => "admin").get("/public/admin/x", () => "public");
    expect(await (await ask(elysia, "http://nas/public/admin/x")).text()).toBe("admin");
  });

  test("learns from a handler's text what to prepare", async () => {
    const seen: unknown[] = [];
    const whole = (context: object) => void seen.push("body" in context && context.body);
    const elysia = new Elysia()
      .post("/named", ({ body }) => void seen.push(body))
      .post("/hidden", ({ ...context }: object) => whole(context), { parse: "none" });
    const sent = () => ({ method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
    await ask(elysia, "http://satchel.test/named", sent());
    await ask(elysia, "http://satchel.test/hidden", sent());
    expect(seen[0]).toEqual({});
    expect(seen[1]).not.toEqual({});
  });
});
