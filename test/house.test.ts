import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { auditActions } from "#contract/audit-actions";
import type { Endpoint } from "#contract/endpoint";
import { type FailureCode, failureStatus } from "#contract/failures";
import { languageCodes } from "#contract/languages";
import { en } from "#contract/messages/en";
import { messages } from "#contract/messages/sentence";
import { zh } from "#contract/messages/zh";
import manifest from "../package.json";
import { settingGroups } from "../src/settings/groups.ts";
import { api } from "./support/contract.ts";
import { idleExports } from "./support/rules/exports.ts";
import {
  foreignWords,
  onlyIn,
  outsiders,
  privateFiles,
  privateWords,
  readers,
  roomOf,
} from "./support/rules/house-rules.ts";
import { slowPatterns } from "./support/rules/patterns.ts";
import { waitingExports, waitingSettings } from "./support/rules/waiting.ts";
import { importsOf, readSources, root, withoutComments } from "./support/sources.ts";
import { openTestHouse } from "./support/test-house.ts";

/** The rules of the house, held against its source text. The import rules themselves stand in test/support/rules/house-rules.ts. */

const code = (await readSources("{src,web}/**/*.{ts,tsx}")).filter(({ path }) => !path.endsWith(".d.ts"));
const everything = [
  ...(await readSources("{src,web,test,deploy}/**/*.{ts,tsx,css,html}", "build.ts", "release.ts", ".ci/run")),
];

/** The lines of a file on which a pattern occurs, as file:line. */
const places = ({ path, text }: { path: string; text: string }, pattern: RegExp) =>
  text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));

describe("who may import whom", () => {
  test("every folder of src and web has its row in the table", () => {
    const rooms = new Set(code.map(({ path }) => roomOf(path)));
    expect([...rooms].filter((room) => !readers.has(room))).toEqual([]);
  });

  test("rooms import only what their row allows", () => {
    const violations = code.flatMap((source) =>
      importsOf(source).flatMap(({ line, target, typeOnly }) => {
        const refusal = readers.refuse(source.path, target, typeOnly);
        return refusal ? [`${source.path}:${line} imports ${target}: ${refusal}`] : [];
      }),
    );
    expect(violations).toEqual([]);
  });

  test("packages that only one place may know stay there", () => {
    const violations = code.flatMap((source) =>
      importsOf(source).flatMap(({ line, target }) => {
        const rule = outsiders.find(({ packages, home }) => packages.test(target) && !home.test(source.path));
        return rule ? [`${source.path}:${line} imports ${target}: ${rule.says}`] : [];
      }),
    );
    expect(violations).toEqual([]);
  });

  test("what only one place may do is done there", () => {
    const server = code.filter(({ path }) => path.startsWith("src/"));
    const violations = onlyIn.flatMap(({ pattern, home, says }) =>
      server
        .filter(({ path }) => !home.test(path))
        .flatMap((source) => places(source, pattern).map((at) => `${at}: ${says}`)),
    );
    expect(violations).toEqual([]);
  });
});

describe("the contract", () => {
  const declared = Object.values(api).flatMap((family) => Object.values(family));
  const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

  test("every endpoint is bound exactly once, and nothing else is", async () => {
    await using house = await openTestHouse();
    const { bound } = house.app;
    expect(bound.map(name).sort()).toEqual(declared.map(name).sort());
    expect(new Set<unknown>(bound)).toEqual(new Set<unknown>(declared));
  });

  test("no endpoint is left out of the index", async () => {
    const modules = await readSources("src/contract/**/*.ts");
    const exported = await Promise.all(modules.map(({ path }) => import(join(root, path)) as Promise<object>));
    const isEndpoint = (value: unknown): value is (typeof declared)[number] =>
      typeof value === "object" && value !== null && "method" in value && "path" in value;
    const values = exported.flatMap((module) => Object.values(module)) as unknown[];
    const inside = values.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
    const endpoints = new Set([...values, ...inside].filter(isEndpoint).map(name));
    expect([...endpoints].sort()).toEqual(declared.map(name).sort());
  });

  test("every endpoint says who may call it, and none shares its method and path with another", () => {
    expect(declared.filter(({ access }) => !access).map(name)).toEqual([]);
    expect(new Set(declared.map(name)).size).toBe(declared.length);
  });
});

describe("the audit log", () => {
  const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));
  const named = endpoints.flatMap(({ audit }) => audit ?? []);
  /** What no call of an administrator does: access/admin.ts and access/sign-in.ts write these down themselves. */
  const others = ["login.done", "login.failed", "login.link", "logout.done", "account.reset"] as const;

  test("names every change that only the administrator may make, and no other call", () => {
    const wrong = endpoints.filter(
      ({ access, method, audit }) => (audit !== undefined) !== (access === "admin" && method !== "GET"),
    );
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test("has no name that nothing writes down", () => {
    const files = ["src/access/admin.ts", "src/access/sign-in.ts"];
    const written = code
      .filter(({ path }) => files.includes(path))
      .map(({ text }) => text)
      .join("\n");
    expect(others.filter((action) => !written.includes(`"${action}"`))).toEqual([]);
    expect([...auditActions].sort()).toEqual([...new Set([...named, ...others])].sort());
  });
});

describe("the sentences of failures", () => {
  const codes = Object.keys(failureStatus) as FailureCode[];
  const gaps = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort().join(" ");

  test.each(languageCodes)("each failure has one in %s, with the same gaps to fill", (language) => {
    const said = messages[language];
    expect(Object.keys(said).sort()).toEqual([...codes].sort());
    expect(codes.filter((code) => said[code].trim() === "")).toEqual([]);
    expect(codes.filter((code) => gaps(en[code]) !== gaps(said[code]))).toEqual([]);
  });

  /** Clients made for CloudPaste lose the status, and look for it in the sentence. */
  test.each(languageCodes)("those that name their status in English do so in %s", (language) => {
    const status = (sentence: string) => /[(（](\d{3})[)）]/.exec(sentence)?.[1];
    const wrong = codes.filter((code) => status(en[code]) !== status(messages[language][code]));
    expect(language === "zh" ? [] : wrong).toEqual([]);
  });

  test("a Chinese one has Chinese marks, an English one has no Chinese", () => {
    expect(codes.filter((code) => !/^[^\p{Script=Han}]+$/u.test(en[code]))).toEqual([]);
    expect(codes.filter((code) => !/\p{Script=Han}/u.test(zh[code]) || /[,;!?](\s|$)|\.$/.test(zh[code]))).toEqual([]);
  });

  /** Clients made for CloudPaste lose the status and look for these (facts/wire.md 1.1). */
  test.each([
    ["slug.taken", /已被占用/, /\btaken\b|409/],
    ["content.tooLarge", /内容过大/, /too large|413/i],
    ["body.tooLarge", /内容过大/, /too large|413/i],
    ["password.wrong", /密码错误|密码不正确/, /401/],
    ["share.gone", /文本分享已过期|最大查看次数/, /410/],
    ["share.missing", /找不到|不存在/, /404/],
    ["auth.forbidden", /权限/, /permission/i],
  ] as const)("%s is understood by older clients", (code, chinese, english) => {
    expect(zh[code]).toMatch(chinese);
    expect(en[code]).toMatch(english);
  });
});

describe("nothing stands idle", () => {
  /** Every setting has a test of its effect as well: the compiler asks for it in test/src/settings/effects.test.ts. */
  test("every setting is read, but those that wait", () => {
    const text = code
      .flatMap(({ path, text }) => (/^src\/(settings|contract)\//.test(path) ? [] : withoutComments(text)))
      .join();
    const names = settingGroups.flatMap(({ settings }) => Object.keys(settings));
    expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual(Object.keys(waitingSettings));
  });

  test("every failure is one that the server answers", () => {
    const server = code.filter(({ path }) => /^src\/(?!contract\/(messages|failures))/.test(path));
    const text = server.map(({ text }) => withoutComments(text)).join();
    expect(Object.keys(failureStatus).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
  });

  /** Shims of packages, whose names they bear (deploy/pages/packages.ts). */
  const shims = /^web\/shims\/[\w-]+\.ts$/;
  const ours = code.filter(({ path }) => !shims.test(path));

  test("what is exported is imported by another file", () => {
    expect(idleExports(ours, everything).map(({ path, name }) => `${path} ${name}`)).toEqual([]);
  });

  test("what only tests import is called in its own file", () => {
    const textOf = new Map(code.map(({ path, text }) => [path, withoutComments(text)]));
    const uses = (path: string, name: string) => textOf.get(path)?.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0;
    const build = everything.find(({ path }) => path === "build.ts")?.text ?? "";
    const idle = idleExports(ours, code).filter(({ path, name }) => uses(path, name) < 2 && !build.includes(name));
    expect(idle.map(({ path, name }) => `${path} ${name}`)).toEqual(Object.keys(waitingExports));
  });
});

/** Every pattern for which one with alternatives in brackets stands. */
function alternativesOf(pattern: string): string[] {
  const [whole = "", names = ""] = /\(([^()]+)\)/.exec(pattern) ?? [];
  if (whole === "") return [pattern];
  return names.split("|").flatMap((name) => alternativesOf(pattern.replace(whole, () => name)));
}

test("the build names files by patterns that each fit one", () => {
  const builders = everything.filter(({ path }) => path === "build.ts" || path.startsWith("deploy/pages/"));
  const patterns = builders.flatMap(({ text }) =>
    [...text.matchAll(/\/(\^\(?(?:web|src)\\\/.*\$)\/(?=,)/g)].flatMap(([, pattern = ""]) => alternativesOf(pattern)),
  );
  expect(patterns.filter((pattern) => !code.some(({ path }) => new RegExp(pattern).test(path)))).toEqual([]);
  expect(patterns.length).toBeGreaterThan(20);
});

describe("the text of the house", () => {
  test("no merge is left undone", async () => {
    const pages = await readSources("*.md", "docs/**/*.md");
    expect([...everything, ...pages].flatMap((source) => places(source, /^(<{7}|={7}|>{7})( |$)/))).toEqual([]);
  });

  test("no file has a name that says nothing", () => {
    const empty = /^(utils?|helpers?|commons?|managers?|services?|handlers?|data|infos?)$/i;
    expect(everything.map(({ path }) => path).filter((path) => empty.test(basename(path).split(".")[0] ?? ""))).toEqual(
      [],
    );
  });

  test("the server says what the field says", () => {
    const server = code.filter(({ path }) => /^src\/(?!contract\/messages\/|database\/migrat)/.test(path));
    expect(server.flatMap((source) => places(source, foreignWords))).toEqual([]);
  });

  test("the pages say what the field says", () => {
    const pages = code.filter(({ path }) => path.startsWith("web/"));
    expect(pages.flatMap((source) => places(source, privateWords))).toEqual([]);
    expect(pages.map(({ path }) => path).filter((path) => privateFiles.test(path))).toEqual([]);
  });

  test("nothing silences the compiler or the linter's rules on types and output", () => {
    const silencers =
      /@ts-(ignore|nocheck|expect-error)|biome-ignore\S* .*(noExplicitAny|noNonNullAssertion|noConsole|noTsIgnore|noEmptyBlock)/;
    expect(code.flatMap((source) => places(source, silencers))).toEqual([]);
  });

  test("no regular expression has two repetitions in a row that take the same characters", () => {
    const slow = String.raw`const pattern = /^([\w-]{1,100}):[ \t]*(.*?)[ \t]*$/;`;
    expect(slowPatterns({ path: "sample.ts", text: slow })).not.toEqual([]);
    expect(code.flatMap(slowPatterns)).toEqual([]);
  });

  test("the server has no enums, no default exports and no variables that outlive a call", () => {
    const unwanted = /^(export )?(const )?enum |^export default |^(export )?(let|var) /;
    const server = code.filter(({ path }) => path.startsWith("src/"));
    expect(server.flatMap((source) => places(source, unwanted))).toEqual([]);
  });
});

describe("the repository", () => {
  /** What git holds; a copy without git is listed as it lies there, less what .gitignore names. */
  async function topLevel(): Promise<string[]> {
    const { success, stdout } = Bun.spawnSync(["git", "ls-files"], { cwd: root, stderr: "ignore" });
    if (success)
      return [
        ...new Set(
          stdout
            .toString()
            .trim()
            .split("\n")
            .map((path) => path.split("/")[0] ?? ""),
        ),
      ];
    const ignored = (await Bun.file(join(root, ".gitignore")).text())
      .split("\n")
      .map((line) => line.replaceAll("/", ""));
    return readdirSync(root).filter((entry) => entry !== ".git" && !ignored.includes(entry));
  }

  test("nothing lies at the top that does not belong there", async () => {
    const files =
      "package.json bunfig.toml build.ts release.ts tsconfig.json biome.json bun.lock .gitignore LICENSE README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md";
    const wanted = new Set([...files.split(" "), ".ci", "src", "web", "test", "docs", "deploy"]);
    expect((await topLevel()).filter((entry) => !wanted.has(entry))).toEqual([]);
  });

  test("every version in package.json is exact", () => {
    const { dependencies, devDependencies, engines } = manifest;
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...engines });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test("the commands that are written down name the Bun of package.json", async () => {
    const written = await readSources("README.md", ".ci/run");
    const wrong = written.flatMap((source) => {
      const named = [...source.text.matchAll(/\bbun@([\w.-]+)/g)].map(([, version]) => version);
      return named
        .filter((version) => version !== manifest.engines.bun)
        .map((version) => `${source.path}: bun@${version}`);
    });
    expect(wrong).toEqual([]);
  });
});
