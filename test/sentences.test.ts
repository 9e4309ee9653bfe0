import { describe, expect, test } from "bun:test";
import { languageCodes } from "#contract/languages";
import { limitsInWords } from "#contract/limits";
import { messages } from "#contract/messages/sentence";
import { dictionaries, sentencesOf } from "./support/pages/dictionaries.ts";
import { readSources } from "./support/sources.ts";

/** The numbers of the product stand in contract/limits.ts; sentences name them and do not repeat them. */

/** Numbers that are no limits: none and one, what things are called, prefixes of networks, HTTP status codes, examples, and the presets of an expiry. */
const noLimits =
  /(?<![\d.])[01](?![\d.])|\b(?:S3|R2|B2|UTF-8|SHA-256|IPv[46])\b|(?<=[ (])\/(?:24|48)\b|s3\.example|\bs3:\/\/|%23|192\.0\.2\.0\/24|[(（]4\d\d[)）]|\b[Pp](?:orta?|uerto) 9000\b|ポート 9000|9000 端口|\b2026\/|-1, -2|(?<=-1、)-2|\b(?:7|30)[  ](?:days|天|日|días|Tagen?\b|jours)/g;

/** The pages without their words. */
const pages = (await readSources("web/**/*.{ts,tsx}")).filter(({ path }) => !path.startsWith("web/i18n/"));

/** What the page says when not even its words have loaded. */
const says = new Set(["web/main.tsx"]);

const said = languageCodes.flatMap((language) => [
  ...[...sentencesOf(dictionaries[language])].map(([key, text]) => ({ at: `web/i18n/${language} ${key}`, text })),
  ...Object.entries(messages[language]).map(([code, text]) => ({ at: `messages/${language} ${code}`, text })),
]);

describe("the sentences of pages and server", () => {
  test("hold no number that is a limit", () => {
    const numbered = said.filter(({ text }) => /\d/.test(text.replace(noLimits, "")));
    expect(numbered.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
  });

  test("are all said by a page", () => {
    const text = pages.map((page) => page.text).join();
    const made = [...text.matchAll(/`([a-z](?:[^`\s$]|\$\{[^}]*\})*)`/g)].map(([, pattern = ""]) => {
      const parts = pattern.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part));
      return new RegExp(`^${parts.join("\\w+")}$`);
    });
    // Of the resources of the admin area, which share their pages.
    const shared = [...text.matchAll(/`\$\{resource\}\.([a-z]\w*)`/gi)].map(
      ([, name = ""]) => new RegExp(`^(?:admin\\.keys|admin\\.webhooks|mount|storage)\\.${name}$`),
    );
    const patterns = [...made, ...shared];
    const keys = languageCodes.flatMap((language) => [...sentencesOf(dictionaries[language]).keys()]);
    const isSaid = (key: string) => text.includes(`"${key}"`) || patterns.some((pattern) => pattern.test(key));
    expect(keys.filter((key) => !isSaid(key))).toEqual([]);
  });

  test("stand in no component", () => {
    // What stands between tags the linter refuses (noJsxLiterals); these are the other ways to the eye or the ear.
    const told =
      /\b(?:aria-(?:label|description|roledescription)|alt|title|label|placeholder|text|message|hint|confirm|cancel)(?:=\{?|: )"([^"]*\p{L}[^"]*)"/gu;
    const found = pages.flatMap(({ path, text }) =>
      [...text.matchAll(told)].map(([, words = ""]) => `${path}: ${words}`),
    );
    // Keys of sentences, what is filled in, names of things, and examples of addresses.
    const isNone = /: (?:[a-z][\w.]*|.*\$\{.*|https?:\S+|\/\S+)$/u;
    expect(found.filter((one) => !isNone.test(one))).toEqual([]);
    const chinese = pages.filter(({ path, text }) => /\p{Script=Han}/u.test(text) && !says.has(path));
    expect(chinese.map(({ path }) => path)).toEqual([]);
  });

  test("name every limit that is made for them", () => {
    const named = new Set(said.flatMap(({ text }) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)));
    expect(Object.keys(limitsInWords).filter((name) => !named.has(name))).toEqual([]);
  });
});
