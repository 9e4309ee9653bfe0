import { expect, test } from "bun:test";
import { fsUploads } from "#contract/fs/uploads";
import { END, FORM_TYPE, field, filePart } from "../support/clients/form-body.ts";
import { slowBody } from "../support/clients/slow-body.ts";
import { makeKey, withKey } from "../support/make-key.ts";
import { openS3Tree } from "../support/tree/on-s3.ts";

/** What passes through this server to a storage elsewhere: whose key is deleted meanwhile changes nothing there. */

const MiB = 1024 * 1024;

test.each([
  ["a few bytes", 9],
  ["a stream of known length", MiB],
])("a PUT to a relayed address of %s", async (_, size) => {
  await using tree = await openS3Tree();
  await tree.write("/s/a", "kept");
  const key = await makeKey(tree.house);
  const body = { path: "/s", fileName: "a", fileSize: size, contentType: "text/plain" };
  const { data } = await tree.call(fsUploads.presign, { body }, withKey(key));
  const slow = slowBody("x".repeat(size - 4), "more");
  const headers = { "content-type": "text/plain" };
  const sending = tree.house.request(data.relayUrl, { method: "PUT", headers, body: slow.body });
  await slow.begun;
  await tree.house.house.access.keys.remove(key.id);
  slow.finish();
  expect((await sending).status).toBe(403);
  expect([await tree.text("/s/a"), await tree.s3.keys()]).toEqual(["kept", ["a"]]);
});

test.each([
  ["a few bytes", 1000],
  ["more than a part", 6 * MiB],
])("a form's file of %s", async (_, size) => {
  await using tree = await openS3Tree();
  await tree.write("/s/a", "kept");
  const key = await makeKey(tree.house);
  const form = field("path", "/s") + field("filename", "a") + filePart("x".repeat(size), 'filename="a"') + END;
  const slow = slowBody(form.slice(0, -500), form.slice(-500));
  const headers = { ...withKey(key), "content-type": FORM_TYPE };
  const sending = tree.house.request("/api/fs/upload", { method: "POST", headers, body: slow.body });
  await slow.begun;
  await tree.house.house.access.keys.update(key.id, { basic_path: "/elsewhere" });
  slow.finish();
  const response = await sending;
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([403, "path.forbidden"]);
  expect([await tree.text("/s/a"), await tree.s3.keys()]).toEqual(["kept", ["a"]]);
});
