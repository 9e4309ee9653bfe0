import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "#contract/limits";
import { isBoundedJson } from "../../src/fronts/rest/request/body.ts";
import { noConnections } from "../support/servers/connections.ts";
import { openTestHouse } from "../support/test-house.ts";
import { longestOf, measured, told } from "./pauses.ts";

/** `bun test/bench/bodies.ts`: how long a JSON body with the largest text there may be holds the event loop. Nothing here fails. */
const BYTES = 10_485_760;
const ROUNDS = 5;

/** The same number of bytes of text, and the JSON that somebody may write for them. */
const texts: readonly (readonly [name: string, json: string])[] = [
  ["ASCII", JSON.stringify("a line of plain text, as long as most of them are\n".repeat(BYTES / 50 - 1))],
  ["Chinese", JSON.stringify("汉字".repeat(Math.floor(BYTES / 6)))],
  ["quotes and line ends", JSON.stringify('"\n'.repeat(BYTES / 2))],
  ["backslashes", JSON.stringify("\\".repeat(BYTES))],
  ["letters as \\u0061", `"${"\\u0061".repeat(5_000_000)}"`],
];

const say = (line: string) => void process.stdout.write(`${line}\n`);
const took = (work: () => unknown): string => {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return `${(times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0).toFixed(1)} ms`;
};

await using house = await openTestHouse();
const headers = { authorization: `Bearer ${await house.signIn()}`, "content-type": "application/json" };
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => house.app.fetch(request, "127.0.0.1", noConnections),
  maxRequestBodySize: 2 ** 30,
});
for (const [name, text] of texts) {
  const json = `{"content":${text}}`;
  const bytes = Buffer.from(json);
  say(`${name}, ${(bytes.byteLength / 2 ** 20).toFixed(1)} MiB of JSON:`);
  const flat = new TextDecoder().decode(bytes);
  say(
    `  decode ${took(() => new TextDecoder().decode(bytes))}, scan ${took(() => isBoundedJson(flat, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES }))}, JSON.parse ${took(() => JSON.parse(flat))}`,
  );
  const pauses = [];
  const statuses = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    // Sent by another process: this one would measure its own sending.
    const send = async () => {
      const child = Bun.spawn(
        [
          "curl",
          "-sS",
          "-o",
          "/dev/null",
          "-w",
          "%{http_code}",
          "--data-binary",
          "@-",
          "-H",
          "Expect:",
          ...Object.entries(headers).flatMap(([key, value]) => ["-H", `${key}: ${value}`]),
          `${server.url.origin}/api/paste`,
        ],
        { stdin: bytes, stdout: "pipe" },
      );
      statuses.add(Number(await new Response(child.stdout).text()));
    };
    pauses.push(await measured(send));
  }
  say(`  held the event loop for ${told(longestOf(pauses))}; answered ${[...statuses].join(", ")}`);
}
process.exit(0);
