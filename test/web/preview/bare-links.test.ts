import { expect, test } from "bun:test";
import { markdownWords } from "../../../web/preview/markdown/words.ts";
import { markdownHtml } from "../../support/pages/markdown.ts";

const linksIn = (text: string): string[] =>
  [...markdownHtml(text, { words: markdownWords(), origin: location.origin }).html.matchAll(/<a href="([^"]*)"/g)].map(
    ([, address = ""]) => address,
  );

test.each<[string, readonly string[]]>([
  ["see https://example.org/a_b_c*d.", ["https://example.org/a_b_c*d"]],
  ["(https://example.org/a_(b))", ["https://example.org/a_(b)"]],
  ["见 https://example.org/路径，然后", ["https://example.org/%E8%B7%AF%E5%BE%84"]],
  ["http://localhost:8787/x?y=1#z", ["http://localhost:8787/x?y=1#z"]],
  ["www.example.org and example.org", ["http://www.example.org"]],
  ["mail me@example.org, please", ["mailto:me@example.org"]],
  ["`https://example.org` and [https://a.example](https://b.example)", ["https://b.example"]],
  ["javascript://example.org/%0aalert(1) and data://x", []],
  ["http:// and http://? and @b.c and a@b", []],
  ["**https://example.org**", ["https://example.org"]],
])("%s", (text, wanted) => expect(linksIn(text)).toEqual([...wanted]));
