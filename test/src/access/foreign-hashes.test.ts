import { describe, expect, test } from "bun:test";
import { foreignHash, keptForeignHash } from "../../../src/access/foreign-hashes.ts";
import { sharePasswords } from "../../../src/access/passwords.ts";
import { PASSWORD, PASSWORD_HASH } from "../../support/backups/pingvin.ts";

const SECRET = "a secret of at least sixteen characters";
const changed = (from: string | RegExp, to: string) => PASSWORD_HASH.replace(from, to);

describe("a hash that another program has made", () => {
  test("is kept as such, and ours is none", async () => {
    const kept = keptForeignHash(PASSWORD_HASH) ?? "";
    expect(foreignHash(kept)).toBe(PASSWORD_HASH);
    expect(foreignHash(await sharePasswords(SECRET).hash(PASSWORD))).toBeUndefined();
    // Kept as one of ours it would let nobody in.
    expect(await sharePasswords(SECRET).verify(PASSWORD, PASSWORD_HASH, "known")).toBeFalse();
  });

  test("opens by its password and no other, by whoever asks", async () => {
    const kept = keptForeignHash(PASSWORD_HASH) ?? "";
    const { verify } = sharePasswords(SECRET);
    const asked = [verify(PASSWORD, kept, "known"), verify(PASSWORD, kept, "stranger"), verify("x", kept, "stranger")];
    expect(await Promise.all(asked)).toEqual([true, true, false]);
  });

  test.each([
    ["too much memory", changed("m=65536", "m=65537")],
    ["much too much memory", changed("m=65536", "m=4294967295")],
    ["too many passes", changed("t=3", "t=9")],
    ["no pass", changed("t=3", "t=0")],
    ["too many lanes", changed("p=4", "p=17")],
    ["no lane", changed("p=4", "p=0")],
    ["less memory than its lanes need", changed("m=65536", "m=31")],
    ["another version", changed("v=19", "v=16")],
    ["another algorithm", changed("argon2id", "argon2x")],
    ["a short salt", changed(/\$[^$]+\$([^$]+)$/, "$AAAA$$$1")],
    ["a salt that no encoder writes", changed(/\$[^$]+\$([^$]+)$/, "$AAAAAAAAAAAAA$$$1")],
    ["a hash with bits that stand for nothing", changed(/.$/, "t")],
    ["a long hash", `${PASSWORD_HASH}${"A".repeat(100)}`],
    ["more behind it", `${PASSWORD_HASH}$`],
    ["two lines", `${PASSWORD_HASH}\n`],
    ["bcrypt", "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"],
    ["a text", "hunter2hunter2"],
    ["nothing", ""],
  ])("is not kept with %s", (_, hash) => {
    expect(keptForeignHash(hash)).toBeUndefined();
  });
});
