import { describe, expect, test } from "bun:test";
import { readPublicKey, verifySignature } from "../../../src/upgrade/minisign.ts";
import { makeTestKey } from "../../support/releases/minisign.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

/** Written by minisign 0.11. */
const signed = "abc  satchel\n";
const line = "RWSaUqjHvsuTQNY7YHzzcmyKiN5V2I3MNme6iP89n47SA/jSpElMqmCC";
const publicKey = `untrusted comment: minisign public key 4093CBBEC7A8529A\n${line}\n`;
const hashed = `untrusted comment: signature from minisign secret key
RUSaUqjHvsuTQCXQOh7hXlnPKuWOKa7kbJzjkMYkLgSIVn70iwXjF0tOGrEriFZn35MjF1eY6CwK7eKtOdlicn8UQHyl5eML1ww=
trusted comment: satchel 9.9.9
QvXXPBGbL9kfYLiX/V4JMZWSz74ddvOD5S/WTPsEnqogI4pt9s+3sYf4Pr6dCCtgc/q80inxXZo3n0pMd/AOCw==
`;
const direct = `untrusted comment: signature from minisign secret key
RWSaUqjHvsuTQL1c6U2t7yOYFW4G3h+7XNhqb7hypi09jcaPdpBBX7Q0QrQz9iSmXqyH/9/ZvkfRoCfkMUWw4rR56tK3waYMcg4=
trusted comment: satchel 9.9.9
omuYG2lM+seGHB2ovXwVNjRvFh89wuoyuB+v3yGG09FEBMj3E2LyguxsXAvTAYQ1BB5HQueI3zV7VRgLG+ViBA==
`;

describe("signatures of minisign", () => {
  test("hashed and direct ones are read, and tell their comment", async () => {
    expect(readPublicKey(publicKey).id).toBe("4093CBBEC7A8529A");
    for (const key of [publicKey, line, publicKey.replaceAll("\n", "\r\n")])
      for (const signature of [hashed, direct])
        expect(await verifySignature(bytes(signed), signature, readPublicKey(key))).toBe("satchel 9.9.9");
  });

  test("another text, another comment and another key are refused", async () => {
    const key = readPublicKey(publicKey);
    const other = await makeTestKey();
    const changed = "The signature is wrong: what it signs was changed since.";
    for (const signature of [hashed, direct]) {
      await expect(verifySignature(bytes("abd  satchel\n"), signature, key)).rejects.toThrow(changed);
      await expect(verifySignature(bytes(signed), signature.replace("9.9.9", "9.9.8"), key)).rejects.toThrow(changed);
      await expect(verifySignature(bytes(signed), signature, readPublicKey(other.public))).rejects.toThrow(
        "The signature is of the key 4093CBBEC7A8529A, and releases are signed with",
      );
    }
    // Of the same number, and by another key.
    const forged = { ...readPublicKey(other.public), id: key.id };
    await expect(verifySignature(bytes(signed), hashed, forged)).rejects.toThrow(changed);
  });

  test("what is none of minisign's is refused", async () => {
    const key = readPublicKey(publicKey);
    const none = "The signature is none of minisign.";
    const broken = [
      "",
      "x",
      "\n\n\n\n",
      hashed.slice(0, 120),
      hashed.replace("RUSa", "RUTa"),
      hashed.replace("RUS", "RVS"),
    ];
    for (const signature of broken)
      await expect(verifySignature(bytes(signed), signature, key)).rejects.toThrow("The signature is");
    await expect(verifySignature(bytes(signed), hashed.replace("trusted comment: satchel", "x"), key)).rejects.toThrow(
      none,
    );
    for (const text of ["", "RWSa", hashed, "x".repeat(56)])
      expect(() => readPublicKey(text)).toThrow("The public key is none of minisign.");
  });

  test("every changed bit of a signature is found", async () => {
    const own = await makeTestKey();
    const key = readPublicKey(own.public);
    const text = await own.sign(bytes(signed));
    const [comment = "", main = "", trusted = "", global = ""] = text.split("\n");
    for (const [index, value] of [main, global].entries()) {
      const raw = Buffer.from(value, "base64");
      for (let bit = 0; bit < raw.length * 8; bit += 7) {
        const flipped = Buffer.from(raw);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const lines = [
          comment,
          index === 0 ? flipped.toString("base64") : main,
          trusted,
          index === 1 ? flipped.toString("base64") : global,
        ];
        await expect(verifySignature(bytes(signed), lines.join("\n"), key)).rejects.toThrow("The signature is");
      }
    }
  });
});
