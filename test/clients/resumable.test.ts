import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { bytesOf, MiB } from "../suites/store-bodies.ts";
import { basic } from "../support/clients/basic.ts";
import { sha256At } from "../support/clients/cut-uploads.ts";
import { openWorkshop } from "../support/clients/programs.ts";
import { keyAt } from "../support/make-key.ts";
import { startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";

/** Resumable uploads as docs/api.md says them: tuspy by tus, and curl of Debian by the examples of the draft. */

const server = await startServer();
const shop = openWorkshop();
afterAll(async () => {
  await server.stop();
  shop[Symbol.dispose]();
});

const bytes = bytesOf(11 * MiB + 3);
const digest = createHash("sha256").update(bytes).digest("hex");
const path = `${shop.path}/tape.bin`;
await Bun.write(path, bytes);

describe("tuspy", () => {
  const script = `
import json, sys
from tusclient import client
address, headers, path, chunk, stop, checksum = sys.argv[1:]
my = client.TusClient(address, headers=json.loads(headers))
def make(url=None):
    return my.uploader(path, chunk_size=int(chunk), url=url, metadata={"filename": "文 2.bin", "slug": "tape" + stop},
                       upload_checksum=checksum == "yes")
one = make()
one.upload(stop_at=int(stop) or None)
# Another program goes on, which knows nothing but the address.
two = make(one.url)
assert two.offset == one.offset, (two.offset, one.offset)
two.upload()
print(two.offset)
`;
  test.each([
    [1, 1 * MiB, 0, "no"],
    [2, 3 * MiB, 6 * MiB, "no"],
    [3, 7 * MiB, 7 * MiB, "yes"],
  ])("sends a file and goes on (%#)", async (_, chunk, stop, checksum) => {
    const headers = JSON.stringify(basic("admin", server.adminPassword));
    const arguments_ = [`${server.address}/api/tus`, headers, path, `${chunk}`, `${stop}`, checksum];
    expect(await shop.done(["python3", "-c", script, ...arguments_])).toBe(`${bytes.length}\n`);
    expect(await sha256At(`${server.address}/file/tape${stop}`)).toBe(digest);
  });
});

describe("curl", () => {
  const curl = (...command: string[]) =>
    shop.done(["curl", "-sS", "--fail-with-body", "-u", `admin:${server.adminPassword}`, ...command]);
  const header = (answer: string, name: string) => new RegExp(`^${name}: (.*)\\r$`, "im").exec(answer)?.[1] ?? "";

  test("sends a file in three requests of the draft", async () => {
    const draft = ["-H", "Upload-Draft-Interop-Version: 8", "-H", "Expect:"];
    const none = ["-H", "Upload-Complete: ?0", "-H", `Upload-Length: ${bytes.length}`, "-T", "/dev/null"];
    const begun = await curl("-i", ...draft, ...none, `${server.address}/tape.bin`);
    expect(begun).toStartWith("HTTP/1.1 201 ");
    const upload = header(begun, "location");
    for (const [from, to] of [
      [0, 5],
      [5, 9 * MiB],
    ] as const) {
      await Bun.write(`${shop.path}/piece`, bytes.slice(from, to));
      const more = [
        "-H",
        "Content-Type: application/partial-upload",
        "-H",
        `Upload-Offset: ${from}`,
        "-H",
        "Upload-Complete: ?0",
      ];
      const answer = await curl("-i", "-X", "PATCH", ...draft, ...more, "--data-binary", `@${shop.path}/piece`, upload);
      expect([answer.slice(0, 13), header(answer, "upload-offset")]).toEqual(["HTTP/1.1 204 ", `${to}`]);
    }
    const offset = header(await curl("-I", ...draft, upload), "upload-offset");
    const rest = [
      "-H",
      "Content-Type: application/partial-upload",
      "-H",
      "Upload-Complete: ?1",
      "-H",
      `Upload-Offset: ${offset}`,
    ];
    const line = await shop.done([
      "bash",
      "-c",
      'from=$(($1 + 1)) file=$2; shift 2; tail -c "+$from" "$file" | curl -sS --fail-with-body -X PATCH -T - "$@"',
      ...["bash", offset, path, "-u", `admin:${server.adminPassword}`, ...draft, ...rest, upload],
    ]);
    expect(line).toBe(`${line.trim()}\n`);
    expect(await sha256At(line.trim())).toBe(digest);
    expect(header(await curl("-i", upload), "location")).toBe(line.trim());
  });

  test("sends a file as docs/api.md says it", async () => {
    const docs = await Bun.file(join(root, "docs/api.md")).text();
    const [lines = ""] = /^ {4}up=\$\((?:.*\n {4})*.*$/m.exec(docs) ?? [];
    const script = lines.replaceAll("localhost:8787", server.address.replace("http://", ""));
    await Bun.write(`${shop.path}/tape.mkv`, bytes);
    const environment = { key: await keyAt(server) };
    const [page = ""] = /http:\S+/.exec(await shop.done(["bash", "-euc", script], { environment })) ?? [];
    expect(await sha256At(page)).toBe(digest);
  });

  test("goes on with what it was kept from sending", async () => {
    const tus = ["-H", "Tus-Resumable: 1.0.0"];
    const begun = await curl(
      "-i",
      ...tus,
      "-X",
      "POST",
      "-H",
      `Upload-Length: ${bytes.length}`,
      `${server.address}/api/tus`,
    );
    const upload = header(begun, "location");
    const send = (offset: string) => [
      ...tus,
      ...["-X", "PATCH", "-H", "Content-Type: application/offset+octet-stream", "-H", `Upload-Offset: ${offset}`],
    ];
    const cut = await shop.run([
      ...["curl", "-sS", "-u", `admin:${server.adminPassword}`, "--limit-rate", "4M", "--max-time", "1"],
      ...[...send("0"), "--data-binary", `@${path}`, upload],
    ]);
    expect(cut.code).toBe(28);
    const offset = header(await curl("-I", ...tus, upload), "upload-offset");
    expect(Number(offset)).toBeGreaterThan(0);
    await Bun.write(`${shop.path}/rest`, bytes.slice(Number(offset)));
    const last = await curl("-i", ...send(offset), "--data-binary", `@${shop.path}/rest`, upload);
    expect(await sha256At(header(last, "x-share-url"))).toBe(digest);
  });
});
