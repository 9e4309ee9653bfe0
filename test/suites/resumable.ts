import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { basic } from "../support/clients/basic.ts";
import {
  append,
  beginUpload,
  extentOf,
  type Sender,
  seeded,
  sendWithCuts,
  sha256At,
  startAppend,
} from "../support/clients/cut-uploads.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { bytesOf, MiB } from "./store-bodies.ts";

/** How often a connection breaks; 200 by hand. */
const CUTS = Number(process.env.SATCHEL_CUTS ?? 20);
const SEED = Number(process.env.SATCHEL_SEED ?? 7);

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const senderAt = ({ address, adminPassword }: TestServer): Sender => ({
  address,
  headers: basic("admin", adminPassword),
});

/** Resumable uploads to a server that keeps its files in a storage of this environment, and that is killed on the way. */
export function testResumable(environment: Readonly<Record<string, string>>): void {
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  const folder = async (): Promise<string> => {
    folders.push(await mkdtemp(join(tmpdir(), "satchel-test-")));
    return folders.at(-1) ?? "";
  };

  test(`a file whose connection breaks ${CUTS} times at any byte is the same in the end`, async () => {
    await using server = await startServer({ environment });
    const bytes = bytesOf(24 * MiB + 4321);
    const sent = { bytes, cuts: CUTS, random: seeded(SEED), senders: [senderAt(server)] as const };
    expect(await sha256At(await sendWithCuts(sent))).toBe(sha256(bytes));
    expect(server.stdout()).not.toContain('"level":"error"');
  });

  test("what a server had before it was killed inside a request stays, and the rest follows", async () => {
    const dataDir = await folder();
    const bytes = bytesOf(23 * MiB + 99);
    for (const isDeferred of [false, true]) {
      let server = await startServer({ environment, dataDir });
      const slug = isDeferred ? "deferred" : "declared";
      const size = isDeferred ? undefined : bytes.length;
      const path = new URL(await beginUpload(senderAt(server), size, slug)).pathname;
      const at = () => server.address + path;
      await append(senderAt(server), at(), 0, bytes.slice(0, 777));
      let offset = 777;
      for (const share of [0.4, 0.8]) {
        const count = Math.floor(bytes.length * share) - offset;
        const running = await startAppend(senderAt(server), at(), offset, bytes.subarray(offset), count);
        // Whole parts have come by then.
        await until(
          () => receivedOf(server, slug),
          (received) => received > offset,
        );
        await server.kill();
        await running.closed;
        server = await startServer({ environment, dataDir });
        const now = await extentOf(senderAt(server), at());
        expect(now.offset).toBeGreaterThan(offset);
        expect(now.offset).toBeLessThanOrEqual(offset + count);
        offset = now.offset;
      }
      const length: Record<string, string> = isDeferred ? { "upload-length": `${bytes.length}` } : {};
      const last = await append(senderAt(server), at(), offset, bytes.slice(offset), length);
      expect(last.status).toBe(204);
      expect(await sha256At(last.headers.get("x-share-url") ?? "")).toBe(sha256(bytes));
      await server.stop();
    }
  });

  test("of two senders the newer one goes on, and the older one learns so", async () => {
    await using server = await startServer({ environment });
    const sender = senderAt(server);
    const bytes = bytesOf(6 * MiB);
    const upload = await beginUpload(sender, bytes.length, "both");
    const running = await startAppend(sender, upload, 0, bytes, 5 * MiB + 1000);
    await until(
      () => receivedOf(server, "both"),
      (received) => received >= 5 * MiB,
    );
    const { offset } = await extentOf(sender, upload);
    await until(running.answer, (answer) => answer.includes("superseded"));
    expect(running.answer()).toStartWith("HTTP/1.1 409 ");
    running.cut("after");
    expect(offset).toBeGreaterThanOrEqual(5 * MiB);
    const last = await append(sender, upload, offset, bytes.slice(offset));
    expect(await sha256At(last.headers.get("x-share-url") ?? "")).toBe(sha256(bytes));
  });

  test("many small chunks get on", async () => {
    await using server = await startServer({ environment });
    const sender = senderAt(server);
    const bytes = bytesOf(40_000);
    const upload = await beginUpload(sender, bytes.length);
    let last: Response | undefined;
    for (let at = 0; at < bytes.length; at += 1000) last = await append(sender, upload, at, bytes.slice(at, at + 1000));
    expect(last?.status).toBe(204);
    expect(await sha256At(last?.headers.get("x-share-url") ?? "")).toBe(sha256(bytes));
  });
}

/** Bytes that have come, as whoever opens the share early is told. */
async function receivedOf({ address }: TestServer, slug: string): Promise<number> {
  const response = await fetch(`${address}/api/public/files/${slug}?peek=1`);
  return ((await response.json()) as { data: { received?: number } }).data.received ?? 0;
}
