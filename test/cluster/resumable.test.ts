import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { bytesOf, MiB } from "../suites/store-bodies.ts";
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
import { startNodes } from "../support/cluster/nodes.ts";
import { until } from "../support/until.ts";

/** Resumable uploads that go on at another server, on one PostgreSQL and one bucket. */

const CUTS = Number(process.env.SATCHEL_CUTS ?? 20);

const nodes = await startNodes(3);
afterAll(() => nodes[Symbol.asyncDispose]());

const senderAt = (index: number): Sender => ({
  address: nodes.at(index),
  headers: basic("admin", nodes.nodes[index]?.adminPassword ?? ""),
});
/** A page at a server, of which its own address says nothing. */
const at = (index: number, page: string) => nodes.at(index) + new URL(page).pathname;
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test(`a file that breaks ${CUTS} times and goes on at another server each time is the same in the end`, async () => {
  const bytes = bytesOf(24 * MiB + 4321);
  const senders = [senderAt(0), senderAt(1), senderAt(2)] as const;
  const page = await sendWithCuts({ bytes, cuts: CUTS, random: seeded(7), senders });
  for (const index of [0, 1, 2]) expect(await sha256At(at(index, page))).toBe(sha256(bytes));
});

test("what a server had that was killed inside a request goes on at another", async () => {
  const bytes = bytesOf(17 * MiB + 99);
  const path = new URL(await beginUpload(senderAt(0), bytes.length, "killed")).pathname;
  expect((await append(senderAt(0), nodes.at(0) + path, 0, bytes.slice(0, 777))).status).toBe(204);
  const running = await startAppend(senderAt(0), nodes.at(0) + path, 777, bytes.subarray(777), 12 * MiB);
  const received = async () => {
    const response = await fetch(`${nodes.at(1)}/api/public/files/killed?peek=1`);
    return ((await response.json()) as { data: { received?: number } }).data.received ?? 0;
  };
  await until(received, (count) => count > 777);
  await nodes.nodes[0]?.kill();
  await running.closed;
  // The lease of a server that died ends by itself.
  const { offset } = await extentOf(senderAt(1), nodes.at(1) + path);
  expect(offset).toBeGreaterThan(777);
  const last = await append(senderAt(1), nodes.at(1) + path, offset, bytes.slice(offset));
  expect(last.status).toBe(204);
  expect(await sha256At(at(1, last.headers.get("x-share-url") ?? ""))).toBe(sha256(bytes));
});
