import { afterAll, expect, test } from "bun:test";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isIdentity, type Lock, newIdentity, recipientOf } from "../../web/sealed/locks.ts";
import { openHeader, readOpened, type SealedSource } from "../../web/sealed/open.ts";
import { sealFile } from "../../web/sealed/seal.ts";
import { openWorkshop } from "../support/clients/programs.ts";
import { bytesFrom } from "../support/files/sealed.ts";

/** age of Debian opens what pages seal, and seals what pages open. */

const shop = openWorkshop();
afterAll(() => shop[Symbol.dispose]());

const at = (name: string) => join(shop.path, name);
const identity = await newIdentity();
const recipient = await recipientOf(identity);
await Bun.write(at("key"), `${identity}\n`);

const sizes = { empty: 0, "a chunk": 65_536, "a byte more": 65_537, "several runs": 9_000_001 };

/** Seals a file as an upload does, part by part. */
async function seal(name: string, to: string, lock: Lock): Promise<void> {
  const sealed = await sealFile(Bun.file(at(name)), lock);
  const file = await open(at(to), "w");
  const part = 5_244_160;
  for (let from = 0; from < sealed.size; from += part) {
    await file.write(await (await sealed.slice(from, from + part)).bytes());
  }
  await file.close();
}

/** The bytes of a file, as a server hands them out. */
function sourceAt(name: string): SealedSource {
  const file = Bun.file(at(name));
  return { size: file.size, read: (from, to) => file.slice(from, to).bytes() };
}

const digestOf = async (name: string) => Bun.hash(await Bun.file(at(name)).bytes());

/** age asks for passwords at a terminal alone. */
const atTerminal = (command: string, ...typed: string[]) =>
  shop.done(["script", "-qec", command, "/dev/null"], { stdin: typed.map((line) => `${line}\n`).join("") });

test.each(Object.entries(sizes))("a file goes both ways: %s", async (_, size) => {
  await Bun.write(at("plain"), bytesFrom(size + 1, size));
  await seal("plain", "ours.age", { recipient });
  await shop.done(["sh", "-c", `age -d -i '${at("key")}' '${at("ours.age")}' > '${at("back")}'`]);
  expect(await digestOf("back")).toBe(await digestOf("plain"));

  await shop.done(["age", "-r", recipient, "-o", at("theirs.age"), at("plain")]);
  const source = sourceAt("theirs.age");
  const opening = await openHeader(source, { identity });
  expect(opening.size).toBe(size);
  await Bun.write(at("back"), await new Response(readOpened(source, opening, 0, size)).bytes());
  expect(await digestOf("back")).toBe(await digestOf("plain"));
});

test("the key of a link opens what a pipe brings", async () => {
  await Bun.write(at("plain"), "what was sealed");
  await seal("plain", "ours.age", { identity });
  const piped = `printf %s '${identity}' | age -d -i - '${at("ours.age")}'`;
  expect(await shop.done(["sh", "-c", piped])).toBe("what was sealed");
});

test("a password goes both ways", async () => {
  const password = "correct horse";
  await Bun.write(at("plain"), "what was sealed");
  await seal("plain", "ours.age", { password });
  await atTerminal(`age -d -o '${at("back")}' '${at("ours.age")}'`, password);
  expect(await Bun.file(at("back")).text()).toBe("what was sealed");

  await atTerminal(`age -p -o '${at("theirs.age")}' '${at("plain")}'`, password, password);
  const source = sourceAt("theirs.age");
  const opening = await openHeader(source, { password });
  expect(await new Response(readOpened(source, opening, 0, opening.size)).text()).toBe("what was sealed");
});

test("keys of age-keygen are keys here, with the same public half", async () => {
  const said = await shop.done(["age-keygen"]);
  const theirs = /AGE-SECRET-KEY-1\w+/.exec(said)?.[0] ?? "";
  expect(isIdentity(theirs)).toBe(true);
  expect(said).toContain(`public key: ${await recipientOf(theirs)}`);
});
