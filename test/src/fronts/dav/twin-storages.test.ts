import { expect, test } from "bun:test";
import { storage as api } from "#contract/storage";
import { basic } from "../../../support/clients/basic.ts";
import { openDav } from "../../../support/clients/open-dav.ts";
import { makeKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { ask } from "../../../support/share-file.ts";
import { openSmallBucket } from "../../../support/stores/pretend-s3.ts";

/** Two storages stand on one bucket: what is said of an object through one of them holds through the other. */
async function openTwins(isAllowed?: (request: Request) => boolean | Promise<boolean>) {
  const bucket = openSmallBucket("files", isAllowed);
  const here = await openDav({ now: Date.now() });
  for (const name of ["one", "other"]) {
    const body = {
      name,
      provider_type: "Other",
      endpoint_url: `http://127.0.0.1:${bucket.port}`,
      bucket_name: "files",
      access_key_id: `of-${name}`,
      secret_access_key: "pass-word",
      path_style: true,
      is_public: true,
      default_folder: "",
    };
    const { data } = await ask(here.house, api.create, { body: body as never });
    await makeMount(here.house, { name, mount_path: `/${name}`, storage_config_id: data?.id ?? "" });
  }
  return {
    ...here,
    bucket,
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]();
      await bucket[Symbol.asyncDispose]();
    },
  };
}

test("a lock through one storage holds through another on its bucket", async () => {
  await using here = await openTwins();
  await here.send("PUT", "/one/a", { body: "a" });
  const { token } = await here.lock("/one/a");
  const { key } = await makeKey(here.house, { basic_path: "/other" });
  const theirs = { headers: basic(key, key) };
  expect(await here.status("PUT", "/other/a", { ...theirs, body: "x" })).toBe(423);
  expect(await here.status("DELETE", "/other/a", theirs)).toBe(423);
  expect((await here.lock("/other/a")).status).toBe(423);
  expect(await here.status("UNLOCK", "/one/a", { headers: { "lock-token": `<${token}>` } })).toBe(204);
  expect(await here.status("PUT", "/other/a", { ...theirs, body: "x" })).toBe(204);
});

test("of two that make one object, each through a storage of its own, one has made it", async () => {
  const [arrived, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using here = await openTwins(async ({ method, url }) => {
    if (method !== "PUT" || !url.includes("/files/new")) return true;
    arrived.resolve();
    await goOn.promise;
    return true;
  });
  const make = (mount: string) =>
    here.status("PUT", `/${mount}/new`, { body: mount, headers: { "if-none-match": "*" } });
  const first = make("one");
  await arrived.promise;
  const second = make("other");
  // It begins later and asks as much, so the second has asked by then, if it does not wait.
  expect(await here.status("PUT", "/other/beside", { body: "b", headers: { "if-none-match": "*" } })).toBe(201);
  goOn.resolve();
  expect(await Promise.all([first, second])).toEqual([201, 412]);
  expect(await here.text("/other/new")).toBe("one");
});
