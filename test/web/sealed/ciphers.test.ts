import { expect, test } from "bun:test";
import { join } from "node:path";
import { type ChunkCipher, nativeCipher, type Run, scriptCipher } from "../../../web/sealed/chunks.ts";
import { SealedFailure } from "../../../web/sealed/failures.ts";
import { newIdentity } from "../../../web/sealed/locks.ts";
import { workersAt } from "../../../web/sealed/off-thread.ts";
import { bytesFrom } from "../../support/files/sealed.ts";
import { root } from "../../support/sources.ts";

/** Browsers with a ChaCha20-Poly1305 of their own, scripts and workers seal alike. */

const key = bytesFrom(1, 32);
const imported = await crypto.subtle.importKey("raw-secret" as "raw", key, "ChaCha20-Poly1305", false, [
  "encrypt",
  "decrypt",
]);
const workers = workersAt(join(root, "web/sealed/sealed.worker.ts"));
const ciphers: Readonly<Record<string, ChunkCipher>> = {
  native: nativeCipher(imported),
  script: scriptCipher(key),
  workers: { seal: (run) => workers.seal(key, run), open: (run) => workers.open(key, run) },
};
const run = (length: number, first: number, ends: boolean): Run => ({ bytes: bytesFrom(length, length), first, ends });

/** Bun's own `rejects` waits without taking messages of workers. */
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof SealedFailure ? error.code : error),
  );

test.each(Object.keys(ciphers))("%s", async (name) => {
  const cipher = ciphers[name];
  const reference = ciphers.native;
  if (!cipher || !reference) throw new Error(name);
  for (const [length, first, ends] of [
    [0, 0, true],
    [200_000, 0, true],
    [131_072, 5, false],
    // Beyond 32 bits of the counter.
    [70_000, 2 ** 32 + 3, true],
  ] as const) {
    const sealed = await cipher.seal(run(length, first, ends));
    expect(Bun.hash(sealed)).toBe(Bun.hash(await reference.seal(run(length, first, ends))));
    expect(Bun.hash(await cipher.open({ bytes: sealed.slice(), first, ends }))).toBe(
      Bun.hash(bytesFrom(length, length)),
    );
    expect(await failureOf(cipher.open({ bytes: sealed.slice(), first: first + 1, ends }))).toBe("damaged");
    expect(await failureOf(cipher.open({ bytes: sealed.slice(), first, ends: !ends }))).toBe(
      ends ? "damaged" : "truncated",
    );
  }
});

test("a worker makes and opens headers, and says why one does not open", async () => {
  const password = "secret";
  const { header, fileKey } = await workers.newHeader({ password });
  expect(await workers.fileKeyOf(header, { password })).toEqual(fileKey);
  expect(await failureOf(workers.fileKeyOf(header, { password: "other" }))).toBe("wrongKey");
  expect(await failureOf(workers.fileKeyOf(header, { identity: await newIdentity() }))).toBe("wrongKey");
});
