import { Lru } from "../../lib/cache.ts";

/** Texts without parameters that are remembered. */
const MAX_TEMPLATES = 500;

const templates = new Lru<string, TemplateStringsArray>(MAX_TEMPLATES);

/** A text as a template, which the runtime prepares. */
export function templateOf(text: string): TemplateStringsArray {
  let template = templates.get(text);
  if (!template) {
    template = Object.defineProperty([text], "raw", { value: [text] }) as unknown as TemplateStringsArray;
    templates.set(text, template);
  }
  return template;
}
