import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import * as vectors from "cctv-age";
import { SealedFailure } from "../../../web/sealed/failures.ts";
import { isIdentity, type Key } from "../../../web/sealed/locks.ts";
import { opened, sourceOf } from "../../support/files/sealed.ts";

/** age's own test vectors: those for X25519 keys and passwords, and the armored ones, which are no files that are shared here. */

interface Vector {
  readonly name: string;
  readonly expect: string;
  readonly payload: string;
  readonly keys: readonly Key[];
  readonly armored: boolean;
  readonly file: Uint8Array;
}

function read(name: string, bytes: Uint8Array): Vector {
  const end = Buffer.from(bytes).indexOf("\n\n");
  const lines = new TextDecoder().decode(bytes.subarray(0, end)).split("\n");
  const said = lines.map((line) => line.split(/: (.*)/) as [string, string]);
  const first = (wanted: string) => said.find(([key]) => key === wanted)?.[1] ?? "";
  const keys = said.flatMap(([key, value]): Key[] => {
    if (key === "identity") return [{ identity: value }];
    return key === "passphrase" ? [{ password: value }] : [];
  });
  const rest = bytes.subarray(end + 2);
  const file = first("compressed") === "zlib" ? new Uint8Array(inflateSync(rest)) : rest;
  return { name, expect: first("expect"), payload: first("payload"), keys, armored: first("armored") === "yes", file };
}

const all = Object.entries(vectors).map(([name, bytes]) => read(name, bytes as Uint8Array));
const armored = all.filter((vector) => vector.armored);
/** Keys of other kinds are for later. */
const ours = all.filter(({ armored, keys }) => {
  return !armored && keys.every((key) => !("identity" in key) || isIdentity(key.identity));
});

/** What comes of a file with the first of the keys that is for it: a digest, or why there is none. */
async function outcome({ file, keys }: Vector): Promise<string> {
  const digests = new Set<string>();
  for (const key of keys.length > 0 ? keys : [{ password: "none" }]) {
    try {
      digests.add(
        createHash("sha256")
          .update(await opened(sourceOf(file), key))
          .digest("hex"),
      );
    } catch (error) {
      if (!(error instanceof SealedFailure)) throw error;
      digests.add(error.code);
    }
  }
  digests.delete(digests.size > 1 ? "wrongKey" : "");
  return [...digests].join(" ");
}

/** What each kind of failure is here. */
const failures: Readonly<Record<string, readonly string[]>> = {
  "no match": ["wrongKey"],
  "HMAC failure": ["damaged"],
  "header failure": ["damaged", "truncated", "notAge", "tooMuchWork"],
  "payload failure": ["damaged", "truncated"],
};

describe("age's vectors", () => {
  test("are there", () => {
    expect(ours.length).toBeGreaterThan(60);
    expect(ours.filter(({ name }) => name.startsWith("scrypt")).length).toBeGreaterThan(15);
    expect(armored.length).toBeGreaterThan(20);
  });

  test.each(ours.map((vector) => [vector.name, vector.expect, vector] as const))(
    "%s: %s",
    async (_, expected, vector) => {
      const came = await outcome(vector);
      if (expected === "success") expect(came).toBe(vector.payload);
      else expect(failures[expected]).toContain(came);
    },
  );

  test.each(armored.map((vector) => [vector.name, vector] as const))("%s is not of the kind", async (_, vector) => {
    expect(await outcome(vector)).toBe(vector.file.length === 0 ? "truncated" : "notAge");
  });
});
