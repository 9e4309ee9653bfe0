import type MarkdownIt from "markdown-it";

/** The longest address that is made a link, in characters: nothing after it is looked at, however long a text without spaces is. */
const MAX_ADDRESS = 2000;

const labels = String.raw`[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63})`;
const start = String.raw`(?:https?|ftp):\/\/(?:[^\s<>@\/]{1,100}@)?[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,30}\.?`;
/** What ends an address besides spaces: Chinese punctuation, which follows one without a space. */
const rest = String.raw`[^\s<>，。；：！？、（）《》「」『』【】“”‘’]`;
const tail = String.raw`(?:(?::\d{1,5})?(?:[\/?#]${rest}{0,${MAX_ADDRESS}})?)`;

const atStart = new RegExp(`^${start}${tail}`, "iu");
/** `www.` begins a word; an address of mail is found whole (GitHub's Markdown, section 6.9). */
const www = String.raw`(?<![\p{L}\p{N}_./@-])www\.${labels}{1,30}${tail}`;
const mail = String.raw`(?<![\p{L}\p{N}.+_@-])[a-z\d._+-]{1,64}@${labels}{1,30}(?![\p{L}\p{N}_@-])`;
const inText = new RegExp(`${start}${tail}|${www}|${mail}`, "giu");

/** An address without the punctuation of the sentence around it; a closing bracket stays when it was opened in it. */
function trimmed(address: string): string {
  let end = address.length;
  let open = address.split("(").length - address.split(")").length;
  for (;;) {
    const last = address[end - 1] ?? "";
    if (last === ")" && open < 0) open += 1;
    else if (!/[?!.,:;*_~'"]/.test(last)) return address.slice(0, end);
    end -= 1;
  }
}

/** Describes an address by the fields of a linkify-it match, which markdown-it reads. */
function found(raw: string, index: number) {
  const text = trimmed(raw);
  const isMail = text.includes("@") && !text.includes("://");
  const schema = isMail ? "mailto:" : /^www/i.test(text) ? "" : text.slice(0, text.indexOf(":") + 1);
  const url = isMail ? `mailto:${text}` : schema === "" ? `http://${text}` : text;
  return { schema, index, lastIndex: index + text.length, raw: text, text, url };
}

const bareLinks = {
  pretest: (text: string): boolean => /:\/\/|www\.|@/i.test(text),
  test: (text: string): boolean => text.search(inText) >= 0,
  match: (text: string) => [...text.matchAll(inText)].map(({ 0: raw, index }) => found(raw, index)),
  matchAtStart(text: string) {
    const raw = atStart.exec(text.slice(0, MAX_ADDRESS))?.[0];
    return raw === undefined ? null : found(raw, 0);
  },
};

/** Makes links of addresses in the text, as GitHub does: with their scheme, from `www.` on, and those of mail. */
export function bareLinkRule(md: MarkdownIt): void {
  Object.assign(md, { linkify: bareLinks });
}
