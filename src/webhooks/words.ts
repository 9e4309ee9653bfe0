import type { Language, Translation } from "#contract/languages";
import { limitsInWords } from "#contract/limits";
import { filled, messages } from "#contract/messages/sentence";
import type { WebhookEvent } from "#contract/webhooks";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { ja } from "./words/ja.ts";
import { zh } from "./words/zh.ts";

/** What people read of an event, in each language. */
const dictionaries: Readonly<Record<Language, Translation<typeof en>>> = { en, zh, ja, es, de, fr };

/** What is told of one happening (contract/webhooks.ts). */
export type Item = Readonly<Record<string, string | number | null>>;

/** The body of an event as it is queued. */
export interface Told {
  readonly type: WebhookEvent | "test";
  readonly timestamp: string;
  readonly data: { readonly items: readonly Item[]; readonly more: number };
}

/** The sentence of a failure, where the reason is the code of one; some reasons are none that anybody is refused for. */
function reasonText(reason: string | number | null | undefined, language: Language): string {
  const { filesFailed, reasons } = dictionaries[language];
  if (reason === null || reason === undefined) return filesFailed;
  const sentences: Readonly<Record<string, string>> = { ...messages[language], ...reasons };
  return filled(sentences[reason] ?? String(reason), limitsInWords);
}

function lineOf(type: WebhookEvent, item: Item, language: Language): string {
  const { text, file, openedOnce, lines } = dictionaries[language];
  const { slug, name, openings, reason } = item;
  const what = filled(name === null ? text : file, { slug: slug ?? "", name: name ?? "" });
  const values = Object.fromEntries(Object.entries(item).map(([key, value]) => [key, value ?? ""]));
  return filled(openings === 1 ? openedOnce : lines[type], { ...values, what, reason: reasonText(reason, language) });
}

/** An event as people read it. */
export function sentenceOf({ type, data }: Told, language: Language): { title: string; text: string } {
  const { titles, tested, more } = dictionaries[language];
  const title = titles[type];
  if (type === "test") return { title, text: tested };
  const told = data.items.map((item) => lineOf(type, item, language));
  if (data.more > 0) told.push(filled(more, { more: data.more }));
  return { title, text: told.join("\n") };
}
