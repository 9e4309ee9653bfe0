import { join } from "node:path";
import { signIn } from "../support/clients/sign-in.ts";
import { makePdf } from "../support/files/pdf.ts";
import { photo } from "../support/files/picture.ts";
import { startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";
import { tell } from "./figures.ts";

/**
 * `bun test/bench/lighthouse.ts [rounds] [pages...]`: what Lighthouse says of a shared text, a shared PDF, a shared photograph and Home, by the
 * built pages as they are served, compressed: the median of its scores for performance, accessibility and best practices (100 is wanted),
 * the times behind them in milliseconds and what is transferred. It needs Debian's `chromium` (CHROME_PATH says where another one is) and
 * Node; Lighthouse itself is fetched by `bun x`, because its 176 MB are no part of what everybody installs. Nothing here fails.
 */
const LIGHTHOUSE = "lighthouse@13.5.0";
const rounds = Number(process.argv[2] ?? 3);
const only = process.argv.slice(3);
const say = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const categories = ["performance", "accessibility", "best-practices"] as const;
const times = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index"] as const;
const SHIFT = "cumulative-layout-shift";
const WEIGHT = "total-byte-weight";

interface Audit {
  readonly title: string;
  readonly score: number | null;
  readonly numericValue?: number;
  readonly details?: { readonly items?: readonly { readonly node?: { readonly snippet: string } }[] };
}

interface Report {
  readonly environment: { readonly benchmarkIndex: number };
  readonly categories: Readonly<
    Record<
      string,
      { readonly score: number | null; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
    >
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}

const content = `# The plan for spring\n\n${"Some *text* with a [link](https://example.com), `code` and a list:\n\n- one\n- two\n\n".repeat(8)}
\`\`\`js\nconst a = "text"; // a comment\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`;

const fail = (complaint: string): never => {
  throw new Error(`Lighthouse did not run: ${complaint}`);
};

async function look(url: string, preset: "mobile" | "desktop"): Promise<Report> {
  const child = Bun.spawn(
    [
      ...[process.execPath, "x", LIGHTHOUSE, url, "--quiet", "--output=json", "--output-path=stdout"],
      `--only-categories=${categories.join(",")}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
      ...(preset === "desktop" ? ["--preset=desktop"] : []),
    ],
    {
      cwd: join(root, ".."),
      env: { ...process.env, CHROME_PATH: process.env.CHROME_PATH ?? "/usr/bin/chromium" },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [text, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  // A busy machine may lose the beginning of a trace.
  if ((await child.exited) !== 0) return complaint.includes("NO_NAVSTART") ? look(url, preset) : fail(complaint);
  return JSON.parse(text) as Report;
}

await using server = await startServer();
const token = await signIn(server.address, server.adminPassword);
const headers = { authorization: `Bearer ${token}` };
const send = async (path: string, body: BodyInit): Promise<void> => {
  const shared = await fetch(`${server.address}${path}`, { method: "POST", headers, body });
  if (!shared.ok) throw new Error(`Sharing answered ${shared.status}: ${await shared.text()}`);
};
const sendFile = async (slug: string, file: File): Promise<void> => {
  const body = new FormData();
  body.set("slug", slug);
  body.set("file", file);
  await send("/api/upload", body);
};
await send("/api/paste", JSON.stringify({ content, slug: "bench" }));
const sheet = { lines: Array.from({ length: 20 }, (_, line) => `Line ${line} of a report`) };
await sendFile(
  "pdf",
  new File([makePdf(Array.from({ length: 12 }, () => sheet))], "report.pdf", { type: "application/pdf" }),
);
await sendFile("photo", new File([await photo(4000, 3000)], "photo.jpg", { type: "image/jpeg" }));

const pages = { text: "/paste/bench", pdf: "/file/pdf", photo: "/file/photo", home: "/" } as const;
type Preset = "mobile" | "desktop";

const shownNames: Readonly<Record<string, string>> = {
  text: "a shared text",
  pdf: "a shared PDF",
  photo: "a shared photograph",
  home: "Home",
};

async function judge(name: string, path: string, preset: Preset): Promise<void> {
  const reports: Report[] = [];
  for (let round = 0; round < rounds; round += 1) reports.push(await look(`${server.address}${path}`, preset));
  say(`${name}, ${preset}, median of ${rounds}:`);
  const speeds = reports.map(({ environment }) => Math.round(environment.benchmarkIndex));
  say(`  speed of this machine meanwhile: ${median(speeds)}; scores for performance mean little below 1000`);
  for (const category of categories) {
    const scores = reports.map((report) => Math.round((report.categories[category]?.score ?? 0) * 100));
    say(`  ${category}: ${median(scores)} (${scores.join(", ")})`);
  }
  if (preset === "mobile") {
    const scores = reports.map(({ categories }) => (categories.performance?.score ?? 0) * 100);
    tell({
      work: `Lighthouse, performance of ${shownNames[name]} on a phone`,
      yardstick: `${LIGHTHOUSE}, its phone of 2019 on slow 4G; the median of ${rounds}`,
      value: median(scores),
      unit: "of 100",
      goal: 100,
    });
  }
  const of = (audit: string) => median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
  say(`  ${times.map((time) => `${time}: ${Math.round(of(time))} ms`).join(", ")}`);
  say(`  ${SHIFT}: ${of(SHIFT).toFixed(3)}, transferred: ${Math.round(of(WEIGHT) / 1000)} kB`);
  const [last] = reports.slice(-1);
  for (const category of categories.slice(1)) {
    for (const { id, weight } of last?.categories[category]?.auditRefs ?? []) {
      const audit = last?.audits[id];
      if (!audit || weight === 0 || audit.score === null || audit.score >= 1) continue;
      const where = (audit.details?.items ?? []).flatMap(({ node }) => node?.snippet ?? []);
      say(`  found: ${audit.title} ${where.join(" ")}`);
    }
  }
}

for (const [name, path] of Object.entries(pages)) {
  if (only.length > 0 && !only.includes(name)) continue;
  for (const preset of ["mobile", "desktop"] as const) await judge(name, path, preset);
}
