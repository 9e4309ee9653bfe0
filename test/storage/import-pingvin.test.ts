import { expect, test } from "bun:test";
import { mounts as api } from "#contract/mounts";
import { PASSWORD, PASSWORD_HASH, share, writePingvin } from "../support/backups/pingvin.ts";
import { ask } from "../support/share-file.ts";
import { openS3House } from "../support/stores/s3-house.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const large = crypto.getRandomValues(new Uint8Array(65_536));

test("shares of Pingvin Share are copied into a real bucket, or stay in the one where they are", async () => {
  await using here = await openS3House({ default_folder: "" });
  const { house } = here;
  const { data: [drive] = [] } = await ask(house, api.list, {});
  const body = { mount_path: "/m", storage_config_id: here.storage.id };
  await ask(house, api.update, { params: { id: drive?.id ?? "" }, body });
  const view = await house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
  await view.at("/m/old/stored/far.txt").put({ body: new Response("far away"), length: 8 });

  using folder = temporaryFolder();
  writePingvin(folder.path, {
    shares: [
      share(
        "copied",
        [
          { name: "a b+ü.bin", content: large },
          { name: "sub/empty.txt", content: "" },
        ],
        {},
        { password: PASSWORD_HASH },
      ),
      share("stored", [{ name: "far.txt", content: null, size: "8" }], { storageProvider: "S3" }),
    ],
  });
  const run = async () =>
    (await house.house.imports.run(folder.path, { privateTexts: "protect", bucket: "/m/old" })).read("en").kinds;
  const counts = (kinds: Awaited<ReturnType<typeof run>>) =>
    kinds.map(({ rows, added, present }) => [rows, added, present]);
  expect(counts(await run())).toEqual([
    [2, 2, 0],
    [3, 3, 0],
    [0, 0, 0],
  ]);
  expect(counts(await run())).toEqual([
    [2, 0, 2],
    [3, 0, 3],
    [0, 0, 0],
  ]);
  const get = (path: string, password = "") =>
    house.request(path, { headers: { "user-agent": "curl/8.9", authorization: `Basic ${btoa(`x:${password}`)}` } });
  expect((await get("/s/copied")).status).toBe(401);
  const sent = await (await get(`/s/copied/${encodeURIComponent("a b+ü.bin")}`, PASSWORD)).bytes();
  expect(Buffer.from(sent).equals(large)).toBeTrue();
  expect(await (await get("/s/copied/sub/empty.txt", PASSWORD)).text()).toBe("");
  expect(await (await get("/s/stored/far.txt")).text()).toBe("far away");
});
