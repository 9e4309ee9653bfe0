import { afterAll, expect, test } from "bun:test";
import { Decrypter } from "age-encryption";
import { openWorkshop } from "../support/clients/programs.ts";
import { keyAt } from "../support/make-key.ts";
import { startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";

/** docs/sealed.md, as a reader types it, with Debian's age; and its test vectors. */

const server = await startServer();
const shop = openWorkshop();
afterAll(async () => {
  await server.stop();
  shop[Symbol.dispose]();
});

const page = await Bun.file(`${root}/docs/sealed.md`).text();
/** The indented blocks of the page, in its order. */
const [open, make, key, recipient, file, name, byPassword] = [...page.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) =>
  block.replace(/^ {4}/gm, ""),
) as [string, string, string, string, string, string, string];

const TEXT = "Meet at nine.\n";

test("its commands make a sealed share and open it", async () => {
  const keyOfServer = await keyAt(server);
  await Bun.write(`${shop.path}/made/plan.txt`, TEXT);
  const commands = make.replaceAll("https://share.example", server.address);
  const cwd = `${shop.path}/made`;
  const said = await shop.done(["bash", "-euc", commands.replace("curl -T", "curl -fsS -T")], {
    cwd,
    environment: { key: keyOfServer },
  });
  const link = `${/^http.*$/m.exec(said)?.[0]}#${/^AGE-.*$/m.exec(await Bun.file(`${cwd}/seal.key`).text())?.[0]}`;
  const opening = open.replace(/^link=.*$/m, "").replace("plan.txt", "opened.txt");
  await shop.done(["bash", "-euc", opening], { cwd, environment: { link } });
  expect(await Bun.file(`${cwd}/opened.txt`).text()).toBe(TEXT);
});

test("its vectors open with age, and its password with the library of the pages", async () => {
  await Bun.write(`${shop.path}/key`, key);
  const opened = async (sealed: string) => {
    await Bun.write(`${shop.path}/sealed.age`, Buffer.from(sealed, "base64"));
    return await shop.done(["age", "-d", "-i", "key", "sealed.age"]);
  };
  expect(await opened(file)).toBe(TEXT);
  expect(JSON.parse(await opened(name))).toEqual({ name: "plan.txt", type: "text/plain", kind: "text", size: 14 });
  expect(await shop.done(["age-keygen", "-y", "key"])).toBe(recipient);
  const decrypter = new Decrypter();
  decrypter.addPassphrase("correct horse battery staple");
  expect(await decrypter.decrypt(Buffer.from(byPassword, "base64"), "text")).toBe(TEXT);
});

test("its line for a sealed inbox sends what the owner's key opens", async () => {
  const line = /`(age -r age1… plan\.txt \| curl -T - https:\S+)`/.exec(page)?.[1] ?? "";
  const authorization = `ApiKey ${await keyAt(server)}`;
  const post = async (path: string, body: unknown) => {
    const headers = { authorization, "content-type": "application/json" };
    const answer = await fetch(server.address + path, { method: "POST", headers, body: JSON.stringify(body) });
    return (await answer.json()) as { data: { slug: string } };
  };
  await post("/api/fs/mkdir", { path: "/drive/inbox" });
  const { data } = await post("/api/links", { items: ["/drive/inbox/"], rights: ["upload"] });
  const cwd = `${shop.path}/made`;
  const to = line
    .replace("age1…", recipient.trim())
    .replace("https://share.example/in/SLUG", `${server.address}/in/${data.slug}`);
  await shop.done(["bash", "-euc", to.replace("curl", "curl -fsS")], { cwd });
  const path = new URLSearchParams({ path: "/drive/inbox/plan.txt.age" });
  const sealed = await fetch(`${server.address}/api/fs/download?${path}`, { headers: { authorization } });
  await Bun.write(`${cwd}/sent.age`, sealed);
  await Bun.write(`${cwd}/owner`, key);
  expect(await shop.done(["age", "-d", "-i", "owner", "sent.age"], { cwd })).toBe(TEXT);
});
