import { describe, expect, test } from "bun:test";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { files } from "#contract/files";
import { languageCodes } from "#contract/languages";
import { links } from "#contract/links";
import { uploads } from "#contract/uploads";
import { createSite } from "../../../../../../src/fronts/site/index.ts";
import { sharePagePath } from "../../../../../../src/fronts/site/share-page-files.ts";
import { makeMount } from "../../../../../support/make-mount.ts";
import { ask, type FileOptions, filesOf, presign, remains, shareFile } from "../../../../../support/share-file.ts";
import { hours } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

/** Files that only who has their link can read: what the server makes of them, which it cannot read. */

const identity = await generateX25519Identity();
const MARKER = "what nobody but the reader may see";

async function sealedBytes(content: string): Promise<Uint8Array<ArrayBuffer>> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  return new Uint8Array(await encrypter.encrypt(content));
}

async function openedText(bytes: Uint8Array): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return await decrypter.decrypt(bytes, "text");
}

const names = Buffer.from(await sealedBytes(JSON.stringify({ name: `${MARKER}.txt` }))).toString("base64");

const seal = async (house: TestHouse, fields: FileOptions = {}) =>
  await shareFile(house, { content: await sealedBytes(MARKER), filename: "salary.txt", sealed: names, ...fields });

/** The pages, as far as they are asked for here. */
const assets = new Map(
  ["/index.html", ...languageCodes.map((language) => sharePagePath("link", language))].map((path) => {
    const asset = { path, type: "text/html; charset=utf-8", etag: `"${path}"`, immutable: false };
    return [path, { ...asset, stored: () => new Blob(["<!doctype html>"]) }];
  }),
);

const CURL = { "user-agent": "curl/8.5.0" };
const opening = async (house: TestHouse, slug: string) =>
  (await (await house.request(`/api/public/files/${slug}`)).json()) as {
    data: { sealed?: string; previewUrl: string; filename: string };
  };

describe("a sealed file", () => {
  test("loses its name, is opened at /s, and by programs that have the key", async () => {
    await using house = await openTestHouse();
    const share = await seal(house);
    expect(share).toMatchObject({ filename: "sealed.age", mimetype: "application/vnd.age", sealed: true });
    expect(share.url).toBe(`/s/${share.slug}`);
    const { data } = await opening(house, share.slug);
    expect(await openedText(Buffer.from(data.sealed ?? "", "base64"))).toContain(MARKER);
    expect(data.filename).toBe("sealed.age");
    for (const path of [`/s/${share.slug}`, `/s/${share.slug}?raw`, `/s/${share.slug}/`]) {
      const answer = await house.request(path, { headers: CURL });
      expect(await openedText(new Uint8Array(await answer.arrayBuffer()))).toBe(MARKER);
    }
    expect((await house.request(`/s/${share.slug}/salary.txt`, { headers: CURL })).status).toBe(404);
    expect(filesOf(house).some((name) => name.includes("salary"))).toBe(false);
  });

  test("is opened as often as its limit says, by either way", async () => {
    await using house = await openTestHouse();
    const { slug } = await seal(house, { max_views: 3 });
    const peek = async () => {
      const answer = await house.request(`/api/public/links/${slug}`);
      return ((await answer.json()) as { data: unknown }).data;
    };
    expect(await peek()).toEqual({ slug, requires_password: false, max_opens: 3, opens_left: 3, sealed: true });
    const raw = () => house.request(`/s/${slug}?raw`, { headers: CURL });
    expect((await raw()).status).toBe(200);
    const { data } = await opening(house, slug);
    for (const range of ["bytes=0-9", "bytes=100-"])
      expect((await house.request(data.previewUrl, { headers: { range } })).status).toBe(206);
    expect(await peek()).toMatchObject({ opens_left: 1 });
    expect((await Promise.all(Array.from({ length: 50 }, raw))).filter(({ ok }) => ok)).toHaveLength(1);
    expect((await house.request(`/api/public/links/${slug}`)).status).toBe(410);
  });

  test("with a limit tells its names to nobody who spends no view", async () => {
    await using house = await openTestHouse();
    const { slug } = await seal(house, { max_views: 1 });
    const path = `/s/${slug}?raw`;
    const ask = async (init: { method?: string; headers?: Record<string, string> } = {}, at = path) =>
      await house.request(at, { ...init, headers: { ...CURL, ...init.headers } });
    const looks = [
      await ask({ method: "HEAD" }),
      await ask({ headers: { "if-none-match": "*" } }),
      await ask({ headers: { "if-match": '"other"' } }),
      await ask({ headers: { range: "bytes=999999-" } }),
      await ask({ method: "HEAD" }, `/api/file-view/${slug}`),
    ];
    expect(looks.map(({ status }) => status)).toEqual([200, 304, 412, 416, 200]);
    expect(looks.map(({ headers }) => headers.get("x-share-sealed"))).toEqual(looks.map(() => null));
    const opened = await ask();
    expect([opened.status, opened.headers.get("x-share-sealed")]).toEqual([200, names]);
    const unlimited = await seal(house);
    const head = await ask({ method: "HEAD" }, `/s/${unlimited.slug}?raw`);
    expect(head.headers.get("x-share-sealed")).toBe(names);
  });

  test("without a limit is opened once for each time that its page opens it", async () => {
    await using house = await openTestHouse();
    const { slug } = await seal(house);
    for (const views of [1, 2]) {
      expect((await house.request(`/api/public/links/${slug}`)).status).toBe(200);
      expect((await opening(house, slug)).data).toMatchObject({ views });
    }
  });

  test("expires", async () => {
    await using house = await openTestHouse();
    const { slug } = await seal(house, { expires_in: 1 });
    house.clock.advance(hours(2));
    expect((await house.request(`/s/${slug}?raw`, { headers: CURL })).status).toBe(410);
  });

  test("shares the namespace of links, whichever comes first", async () => {
    await using house = await openTestHouse();
    const plain = await shareFile(house, { filename: "a.txt", slug: "plain" });
    const { slug } = await seal(house, { slug: "taken" });
    const { mount_path } = await makeMount(house);
    const link = (slug: string) => ask(house, links.create, { body: { items: [mount_path], slug } });
    expect((await link(slug)).error).toBe("slug.taken");
    const other = await link("other");
    expect(other.status).toBe(201);
    expect((await link("plain")).status).toBe(201);
    expect((await presign(house, { sealed: names, slug: "other" })).error).toBe("slug.taken");
    const { id } = await seal(house);
    expect((await ask(house, files.update, { params: { id }, body: { slug: "other" } })).error).toBe("slug.taken");
    expect((await ask(house, files.update, { params: { id }, body: { slug: "free" } })).data.slug).toBe("free");
    expect((await ask(house, links.update, { params: { id: other.data.id }, body: { slug: "free" } })).error).toBe(
      "slug.taken",
    );
    const moved = { params: { id: plain.id }, body: { slug: "other" } };
    expect((await ask(house, files.update, moved)).data.slug).toBe("other");
  });

  test("has no password beside its own, and nothing is made of what is in it", async () => {
    await using house = await openTestHouse();
    expect((await presign(house, { sealed: names, password: "a4tx-92kq-own" })).error).toBe("sealed.password");
    const { id, slug } = await seal(house);
    expect((await ask(house, files.update, { params: { id }, body: { password: "x" } })).error).toBe("sealed.password");
    for (const path of [`/api/office-preview/${slug}`, `/api/file-thumb/${slug}`]) {
      const answer = await house.request(path);
      expect(answer.status).toBe(409);
      expect(await answer.text()).toContain("The server cannot read a sealed file");
    }
    expect((await ask(house, links.create, { body: { items: [{ file: id }] } })).error).toBe("sealed.unreadable");
  });

  test.each([
    "x",
    "A".repeat(8193),
    Buffer.from("age-encryption.org/v2\n").toString("base64"),
    `${names}?`,
    Buffer.from("-----BEGIN AGE ENCRYPTED FILE-----").toString("base64"),
  ])("has names that are an age file: %#", async (sealed) => {
    await using house = await openTestHouse();
    expect((await presign(house, { sealed })).status).toBe(400);
  });

  test("comes by every way that files come, and the last word of a form counts", async () => {
    await using house = await openTestHouse();
    const authorization = `Bearer ${await house.signIn()}`;
    const content = await sealedBytes(MARKER);
    const url = `/api/upload-direct/salary.txt?${new URLSearchParams({ sealed: names })}`;
    const direct = await house.request(url, { method: "PUT", body: content, headers: { authorization } });
    const form = new FormData();
    form.append("file", new File([content], "salary.txt"));
    form.append("sealed", names);
    const posted = await house.request("/api/upload", { method: "POST", body: form, headers: { authorization } });
    for (const answer of [direct, posted]) {
      const { data } = (await answer.json()) as { data: { slug: string } };
      expect(data).toMatchObject({ filename: "sealed.age", sealed: true });
      expect((await opening(house, data.slug)).data.sealed).toBe(names);
    }
    const begun = await ask(house, uploads.begin, {
      body: { filename: "salary.txt", size: content.length, part_size: 5 << 20, sealed: names },
    });
    expect(begun.data.url).toBe(`/s/${begun.data.slug}`);
    expect((await remains(house)).files.some((name) => name.includes("salary"))).toBe(false);
  });

  test("leaves nothing behind of the name that its sender gives a resumable upload", async () => {
    await using house = await openTestHouse();
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const headers = { authorization: `Bearer ${await house.signIn()}`, "tus-resumable": "1.0.0" };
    const metadata = `filename ${base64("salary.txt")},sealed ${base64(names)}`;
    const begun = await house.request("/api/tus", {
      method: "POST",
      headers: { ...headers, "upload-length": "9", "upload-metadata": metadata },
    });
    expect(begun.status).toBe(201);
    const told = await house.request(begun.headers.get("location") ?? "", { method: "HEAD", headers });
    expect([told.status, told.headers.get("upload-metadata")]).toEqual([200, null]);
  });

  test("is dropped with its name sealed, and deleted at its own address, where no other file is", async () => {
    await using house = await openTestHouse();
    const authorization = `Bearer ${await house.signIn()}`;
    const headers = { authorization, "x-share-sealed": names, ...CURL };
    const dropped = await house.request("/salary.txt", { method: "PUT", body: await sealedBytes(MARKER), headers });
    const link = (await dropped.text()).trim();
    expect(link).toMatch(/^http:\/\/satchel\.test\/s\/\w+$/);
    const raw = await house.request(`${link}?raw`, { headers: CURL });
    expect(raw.headers.get("x-share-sealed")).toBe(names);
    expect(await openedText(new Uint8Array(await raw.arrayBuffer()))).toBe(MARKER);
    const { slug } = await shareFile(house, { filename: "a.txt", slug: "plain" });
    const remove = async (path: string, who: Record<string, string> = { authorization }) =>
      (await house.request(path, { method: "DELETE", headers: who })).status;
    expect(await remove(`/s/${slug}`)).toBe(404);
    expect(await remove(new URL(link).pathname, {})).toBe(401);
    expect(await remove(new URL(link).pathname)).toBe(200);
    expect((await house.request(`${link}?raw`, { headers: CURL })).status).toBe(404);
    const unknown = await house.request("/", {
      method: "POST",
      body: "x",
      headers: { ...headers, "x-share-sealed": "x" },
    });
    expect(unknown.status).toBe(400);
  });

  test("has a page that calls this server alone", async () => {
    await using house = await openTestHouse({ site: createSite(assets) });
    const { slug } = await seal(house);
    const policy = async (path: string) =>
      (await house.request(path, { headers: { accept: "text/html" } })).headers.get("content-security-policy") ?? "";
    expect(await policy(`/s/${slug}`)).toContain("connect-src 'self' blob: data:;");
    expect(await policy(`/s/${slug}`)).not.toContain("*");
    expect(await policy(`/S/${slug}`)).toBe(await policy(`/s/${slug}`));
    expect(await policy("/s/no-such-link")).toContain("connect-src * blob:");
    // Whoever has guessed too often is told nothing, and a page that opens something all the same reaches nothing else.
    for (let guess = 0; guess < 100; guess++) await policy(`/s/absent-link-${guess}`);
    for (const path of [`/s/${slug}`, "/s/no-such-link"]) expect(await policy(path)).not.toContain("connect-src *");
  });
});
