import { t } from "../../../../i18n/i18n.ts";

/** A sign that can be put into the text. */
interface Sign {
  readonly sign: string;
  readonly name: string;
  /** Name and other words, folded. */
  readonly words: string;
}

const groups = ["faces", "people", "nature", "food", "things", "signs"] as const;

export interface SignGroup {
  readonly id: (typeof groups)[number];
  readonly signs: readonly Sign[];
}

/** Small letters without accents, as people type them who are in a hurry. */
const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();

/** Reads the lines of a group: the sign, its name, and behind a slash other words. */
export const signsOf = (lines: string): Sign[] =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [sign = "", ...rest] = line.split(" ");
      const words = rest.join(" ");
      return { sign, name: words.split("/")[0] ?? "", words: folded(words.replace("/", " ")) };
    });

/** The emoji with their names in the language of the moment; its part "emoji" has to be there. */
export const signGroups = (): SignGroup[] => groups.map((id) => ({ id, signs: signsOf(t(`emoji.signs.${id}`)) }));

/** Those whose words begin with each of the words looked for; in Chinese and Japanese, which have no spaces, those that contain them. */
export function matching(all: readonly SignGroup[], wanted: string): SignGroup[] {
  const parts = folded(wanted).split(/\s+/).filter(Boolean);
  const has = (words: string, part: string) =>
    /^[\x20-\x7e]+$/.test(part) ? ` ${words}`.includes(` ${part}`) : words.includes(part);
  return all
    .map(({ id, signs }) => ({
      id,
      signs: signs.filter(({ sign, words }) => parts.every((part) => sign === part || has(words, part))),
    }))
    .filter(({ signs }) => signs.length > 0);
}
