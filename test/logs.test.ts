import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { LogRecord } from "./support/logs/log-record.ts";

/** Holds all that was logged in a run of the tests against all secrets that were used in it. `bun test/run.ts server` runs both. */

const folder = process.env.SATCHEL_TEST_LOGS;

/** What looks like a secret, whoever it belongs to. */
const patterns = [
  /argon2/,
  /eyJ[\w-]{8}/,
  /\b(Bearer|ApiKey|Basic) \S/i,
  /AWS4-HMAC-SHA256/,
  /X-Amz-Signature=/i,
  /[?&]Signature=/,
  /[?&](password|grant|sign|token)=/i,
  /-----BEGIN /,
];

const LEAST_LINES = 300;
/** Shorter ones stand everywhere. */
const LEAST_CHARACTERS = 6;
/** Some tests give as a secret what others have in a path: a word, or one letter many times. */
const ordinary = /^(nothing|constructor|(.)\2+)$/;

/** It is random, so it may begin as any short secret does. */
const requestId = /"request":"[\da-f]{8}-[\da-f]{4}"/;

interface Line {
  readonly from: string;
  readonly text: string;
}

async function readRecords(): Promise<LogRecord[]> {
  if (!folder) throw new Error("There is no log to read: bun test/run.ts server");
  const files = await Array.fromAsync(new Bun.Glob("*.jsonl").scan({ cwd: folder }));
  const texts = await Promise.all(files.map((name) => Bun.file(join(folder, name)).text()));
  return texts.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line) as LogRecord);
}

/** Finds any of many texts in a line: only those that begin as the line goes on are compared. */
function createFinder(secrets: Iterable<string>) {
  const byBeginning = Map.groupBy(secrets, (secret) => secret.slice(0, LEAST_CHARACTERS));
  return (line: string): string | undefined => {
    for (let at = 0; at + LEAST_CHARACTERS <= line.length; at++) {
      const found = byBeginning
        .get(line.slice(at, at + LEAST_CHARACTERS))
        ?.find((secret) => line.startsWith(secret, at));
      if (found) return found;
    }
    return undefined;
  };
}

describe("the log of all tests", () => {
  let records: readonly LogRecord[];
  let lines: readonly Line[];
  beforeAll(async () => {
    records = await readRecords();
    lines = records.flatMap(({ from, log }) =>
      log.split("\n").flatMap((text) => (text ? [{ from, text: text.replace(requestId, "") }] : [])),
    );
  });

  test("is long enough to tell something", () => {
    expect(lines.length).toBeGreaterThan(LEAST_LINES);
    expect(new Set(lines.map(({ from }) => from)).size).toBeGreaterThan(3);
  });

  test("has no secret that was used", () => {
    const secrets = new Set(
      records.flatMap((record) =>
        record.secrets.filter((text) => text.length >= LEAST_CHARACTERS && !ordinary.test(text)),
      ),
    );
    expect(secrets.size).toBeGreaterThan(20);
    const find = createFinder(secrets);
    const leaks = lines.flatMap(({ from, text }) => {
      const secret = find(text);
      return secret === undefined ? [] : [`${from}: ${secret} in ${text}`];
    });
    expect(leaks).toEqual([]);
  });

  test("has nothing that looks like one", () => {
    const leaks = lines.flatMap(({ from, text }) =>
      patterns.some((one) => one.test(text)) ? [`${from}: ${text}`] : [],
    );
    expect(leaks).toEqual([]);
  });
});
