import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { settings } from "#contract/settings";
import { END, FORM_TYPE, field, filePart } from "../../../../support/clients/form-body.ts";
import { slowBody } from "../../../../support/clients/slow-body.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { ask, filesOf } from "../../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../../support/tree/tree-house.ts";
import { until } from "../../../../support/until.ts";

/** Files that come into the tree as a form. */

const send = (
  tree: TreeCalls,
  body: string | ReadableStream<Uint8Array<ArrayBuffer>>,
  who: Who = tree.admin,
  signal?: AbortSignal,
) =>
  tree.house.request("/api/fs/upload", {
    method: "POST",
    body,
    headers: { ...who, "content-type": FORM_TYPE },
    ...(signal && { signal }),
  });

const said = async (response: Response): Promise<string> => {
  const { error } = (await response.json()) as { error?: string };
  return `${response.status}${error ? ` ${error}` : ""}`;
};

const waiting = ({ house }: TreeCalls): string[] => readdirSync(join(house.objects, ".incoming"));

const path = (value: string) => field("path", value);
const mode = field("use_multipart", "false");
const file = (content = "hello", name = "a b.txt") => filePart(content, `filename="${name}"`);

describe("a form", () => {
  const orders: readonly (readonly [string, string])[] = [
    ["the path first", path("/m/d") + mode + file()],
    ["the path, the file, the rest", path("/m/d/") + file() + mode],
    ["as existing clients send it", file() + path("/m/d") + mode],
    ["the name behind the file too", file("hello", "x") + path("/m/d") + field("filename", "a b.txt")],
    ["the path first, the name behind the file", path("/m/d") + file("hello", "x") + field("filename", "a b.txt")],
    ["the path and the name first", path("/m/d") + field("filename", "a b.txt") + file("hello", "x")],
    ["the name behind the file and before the path", file("hello", "x") + field("filename", "a b.txt") + path("/m/d")],
  ];
  test.each(orders)("%s", async (_, body) => {
    await using tree = await openTreeHouse();
    const response = await send(tree, body + END);
    const answer = (await response.json()) as { data: { etag: string } };
    const etag = answer.data.etag;
    expect(response.status).toBe(200);
    expect(answer).toEqual({
      ...{ code: 200, success: true, message: "OK" },
      data: {
        ...{ success: true, fileName: "a b.txt", size: 5, contentType: "text/plain", message: "OK" },
        ...{ s3Path: "d/a b.txt", s3Url: "d/a b.txt", etag },
      },
    } as never);
    expect([await tree.names("/m/d"), await tree.text("/m/d/a b.txt")]).toEqual(["a b.txt", "hello"]);
    expect(waiting(tree)).toEqual([]);
  });

  const refused: readonly (readonly [string, string, string])[] = [
    ["no path at all", file() + mode + END, "400 body.invalid"],
    ["a path twice, and the second behind the file", path("/m") + file() + path("/m/e") + END, "400 form.repeated"],
    ["a path twice before the file", path("/m") + path("/m/e") + file() + END, "400 form.repeated"],
    ["a path twice behind the file", file() + path("/m") + path("/m/e") + END, "400 form.repeated"],
    ["a path of nothing", file() + path("") + END, "404 mount.none"],
    ["a path that leads out", file() + path("/m/../../x") + END, "400 path.invalid"],
    ["a path above all mounts", file() + path("/") + END, "404 mount.none"],
    ["the root of a mount as file", file("x", "m") + path("/") + END, "403 path.mount"],
    ["a file where a folder is", file("x", "kept") + path("/m") + END, "400 path.isFolder"],
    ["a folder where a file is", file() + path("/m/kept/file") + END, "409 path.conflict"],
    ["a name that leads elsewhere", file("x", "..") + path("/m") + END, "400 filename.invalid"],
    ["no end, the path before", path("/m") + file(), "400 form.malformed"],
    ["no end, the path behind", file() + path("/m"), "400 form.malformed"],
    ["two files", path("/m") + file() + file() + END, "400 form.malformed"],
    ["no file", path("/m") + END, "400 form.malformed"],
    ["a path that is cut", file() + path(`/${"x".repeat(10_001)}`) + END, "400 body.invalid"],
  ];
  test.each(refused)("%s leaves nothing", async (_, body, code) => {
    await using tree = await openTreeHouse();
    await tree.write("/m/kept/file", "kept");
    expect(await said(await send(tree, body))).toBe(code);
    expect(filesOf(tree.house)).toEqual(["drive/kept/file"]);
    expect(await tree.text("/m/kept/file")).toBe("kept");
  });

  test("whoever may not write there is told so, and nothing is left; without the right nothing is read", async () => {
    await using tree = await openTreeHouse();
    const who = await tree.holder("/m/mine");
    expect(await said(await send(tree, file() + path("/m/other") + END, who))).toBe("403 path.forbidden");
    expect(await said(await send(tree, file() + path("/m/mine") + END, who))).toBe("200");
    const reader = await tree.holder("/m", "mount_view");
    const slow = slowBody(file(), path("/m") + END);
    expect(await said(await send(tree, slow.body, reader))).toBe("403 auth.forbidden");
    expect(filesOf(tree.house)).toEqual(["drive/mine/a b.txt"]);
  });

  for (const [name, before] of [
    ["before", path("/m")],
    ["behind", ""],
  ] as const)
    test(`a file beyond the limit leaves nothing, the path ${name} it`, async () => {
      await using tree = await openTreeHouse();
      await ask(tree.house, settings.update, { params: { group: "1" }, body: { max_upload_size: 1 } });
      const large = file("x".repeat(1024 * 1024 + 1));
      const body = before + large + (before === "" ? path("/m") : "") + END;
      expect(await said(await send(tree, body))).toBe("413 file.tooLarge");
      expect(filesOf(tree.house)).toEqual([]);
    });

  for (const [name, first] of [
    ["before", path("/m") + file().slice(0, -2)],
    ["behind", file().slice(0, -2)],
  ] as const)
    test(`a sender who goes away leaves nothing, the path ${name} the file`, async () => {
      await using tree = await openTreeHouse();
      const slow = slowBody(first, `\r\n${path("/m")}${END}`);
      const gone = new Error("The connection was closed.");
      gone.name = "AbortError";
      const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
        async start(controller) {
          const reader = slow.body.getReader();
          controller.enqueue((await reader.read()).value ?? new Uint8Array());
          await until(
            () => waiting(tree).length,
            (count) => count === 1,
          );
          controller.error(gone);
        },
      });
      expect((await send(tree, broken)).status).toBe(400);
      slow.finish();
      expect(filesOf(tree.house)).toEqual([]);
    });

  test("whose key is revoked while the file is on its way stores nothing", async () => {
    await using tree = await openTreeHouse();
    const key = await makeKey(tree.house);
    const slow = slowBody(file().slice(0, -2), `\r\n${path("/m")}${END}`);
    const sending = send(tree, slow.body, withKey(key));
    await slow.begun;
    await tree.house.house.access.keys.remove(key.id);
    slow.finish();
    expect(await said(await sending)).toBe("401 key.invalid");
    expect(filesOf(tree.house)).toEqual([]);
  });
});
