import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { backupOf, paste } from "../support/backups/cloudpaste.ts";
import { openWorkshop } from "../support/clients/programs.ts";
import { keyAt } from "../support/make-key.ts";
import { startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";

/** Every command of docs/api.md, in its order, as a reader types it, against a server. */

// URLs lead to this machine in place of the web.
const server = await startServer({
  command: [process.execPath, join(root, "test/support/servers/serve-local-sources.ts")],
  environment: { WEBHOOK_NETWORKS: "127.0.0.0/8" },
});
const shop = openWorkshop();
const web = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("from the web") });
afterAll(async () => {
  await server.stop();
  await web.stop(true);
  shop[Symbol.dispose]();
});

const address = server.address.replace("localhost", "127.0.0.1");

/** What stands in the page for what only its reader knows. */
const known: readonly (readonly [written: string, meant: string])[] = [
  ["localhost:8787", address.slice("http://".length)],
  ["…", server.adminPassword],
  ["https://host.example/", web.url.href],
  ["https://hooks.example/", web.url.href],
  ["SECRET", "$secret"],
];

const api = `curl -s ${address}/api`;
const json = `-H "X-API-KEY: $key" -H 'Content-Type: application/json' -d`;

/** What a reader has done before a command, by its beginning. */
const before: Readonly<Record<string, string>> = {
  "curl -fsS localhost:8787/cli": "mkdir -p ~/.local/bin",
  'curl -s "localhost:8787/api/fs/list?path=/drive/&limit': `
    for path in /drive/notes.txt /drive/more.txt /drive/tapes/2024/one.mkv; do
      ${api}/fs/upload -H "X-API-KEY: $key" -F path=$(dirname $path)/ -F filename=$(basename $path) -F file=@tape.mkv
    done`,
  "curl -s localhost:8787/api/fs/unpack": `${api}/fs/upload -H "X-API-KEY: $key" -F path=/drive/ -F filename=photos.zip -F file=@photos.zip`,
  'curl -s localhost:8787/api/links -H "X-API-KEY: $key" -d': `text=$(${api}/paste ${json} '{"content":"# title"}' | jq -r .id)`,
  "curl -sX PUT localhost:8787/api/links/$id": `
    link=$(${api}/links ${json} '{"items":["/drive/notes.txt"],"slug":"one-file"}')
    id=$(jq -r .data.id <<<"$link") item=$(jq -r '.data.items[0].id' <<<"$link")`,
  'curl -OJ "localhost:8787/s/one-file?raw"': `
    curl -sX DELETE ${address}/api/links/$id -H "X-API-KEY: $key"
    id=$(${api}/links ${json} '{"items":["/drive/notes.txt"],"slug":"one-file"}' | jq -r .data.id)`,
  "rclone config create tapes": `
    secret=$(${api}/links/$(${api}/links -H "X-API-KEY: $key" |
      jq -r '.data.links[] | select(.slug == "tapes").id')/connection -H "X-API-KEY: $key" | jq -r .data.s3.secret_access_key)`,
};

/** What a command prints, by its beginning; all others answer at all, and not with a failure. */
const prints: Readonly<Record<string, RegExp>> = {
  'curl -u ":$key" -T tape.mkv': /^http\S+\/file\/\S+$/m,
  'make 2>&1 | curl -u ":$key"': /^http\S+\/file\/\S+$/m,
  'curl -u ":$key" -F file=@tape.mkv': /^http\S+\/file\/\S+$/m,
  'curl -u ":$key" --data-urlencode': /^http\S+\/paste\/\S+$/m,
  "git diff": /^http\S+\/paste\/\S+\n\n[█▀▄ \n]+/m,
  'curl -u ":$key" -d url=': /^http\S+\/file\/\S+$/m,
  "satchel key && satchel up": /^http\S+\/file\/\S+\nhttp\S+\/file\/\S+$/m,
  "curl localhost:8787/api/raw/hi": /^# hi$/m,
  "curl localhost:8787/s/tapes -u": /^2024\/\thttp\S+/m,
  "curl localhost:8787/s/tapes/2024/": /^one\.mkv\thttp\S+/m,
  "curl -T essay.pdf": /^Received: essay\.pdf/m,
};

/** The commands of the page, without what it says about them; a command may go on behind a backslash. */
async function commands(): Promise<readonly string[]> {
  const page = await Bun.file(join(root, "docs/api.md")).text();
  const lines = page.split("\n").flatMap((line) => (line.startsWith("    ") ? line.slice(4) : []));
  const whole = lines
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return whole.map((line) => line.replace(/\s{2,}# .*$/, ""));
}

/** A program for bash that runs them one after the other, each behind a mark, and stops at the first that fails. */
const programOf = (lines: readonly string[]): string =>
  [
    "set -eo pipefail; exec 2>&1",
    // A failure of the server is one of the command. What is saved lies in a folder of its own.
    'curl() { case " $* " in *" -OJ "* | *" -O "*) cd "$(mktemp -d)" ;; esac',
    '  case $1 in -f*) ;; *) set -- --fail-with-body "$@" ;; esac; command curl -sS "$@"; cd "$HOME"; }',
    "make() { echo made; }",
    "git() { echo difference; }",
    ...lines.flatMap((line, index) => {
      const prepared = Object.keys(before).find((start) => line.startsWith(start));
      const typed = known.reduce((text, [written, meant]) => text.replaceAll(written, meant), line);
      // The answers of what comes before are nobody's to read; the variables are kept.
      return [...(prepared ? [`{ ${before[prepared]}\n} >/dev/null`] : []), `echo; echo "@@ ${index}"`, typed];
    }),
  ].join("\n");

async function makeFiles(): Promise<void> {
  const texts = { "tape.mkv": "a tape", "notes.md": "# Notes", "report.pdf": "%PDF-", "essay.pdf": "%PDF-" };
  for (const [name, text] of Object.entries(texts)) await Bun.write(`${shop.path}/${name}`, text);
  await Bun.write(`${shop.path}/photos/one.txt`, "one");
  await Bun.write(`${shop.path}/backup.json`, JSON.stringify(backupOf({ pastes: [paste()] })));
  await shop.done(["python3", "-m", "zipfile", "-c", "photos.zip", "photos/"]);
  await Bun.write(`${shop.path}/logo.png`, Bun.file(join(root, "docs/share.png")));
}

test("does what the page says", async () => {
  await makeFiles();
  const key = await keyAt({ ...server, address });
  const lines = await commands();
  expect(lines.length).toBeGreaterThan(50);
  for (const start of [...Object.keys(before), ...Object.keys(prints)])
    expect([start, lines.some((line) => line.startsWith(start))]).toEqual([start, true]);

  await Bun.write(`${shop.path}/page.sh`, programOf(lines));
  const { code, text } = await shop.run(["bash", "page.sh"], {
    environment: { key, PATH: `${shop.path}/.local/bin:/usr/bin:/bin` },
    stdin: `${key}\n`,
  });
  const printed = new Map(
    text.split(/^@@ /m).map((part) => [Number(part.split("\n")[0]), part.slice(part.indexOf("\n") + 1)]),
  );
  const last = Math.max(...[...printed.keys()].filter((index) => index >= 0));
  expect({ code, ...(code !== 0 && { line: lines[last], printed: printed.get(last) }) }).toEqual({ code: 0 });
  for (const [start, pattern] of Object.entries(prints)) {
    const index = lines.findIndex((line) => line.startsWith(start));
    expect(printed.get(index) ?? "").toMatch(pattern);
  }
});
