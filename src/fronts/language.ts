import { type Language, languageFor } from "#contract/languages";

/** The caller's language: the one that Accept-Language likes best of those we have (RFC 9110 section 12.5.4), else English. */
export function languageOf(headers: Headers): Language {
  const ranges = (headers.get("accept-language") ?? "").split(",").map(weighed);
  const liked = ranges.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  return languageFor(liked.map(({ range }) => range));
}

/** One entry of Accept-Language; a weight that is none counts as 1. */
function weighed(entry: string): { range: string; weight: number } {
  const [range = "", ...parameters] = entry.split(";").map((part) => part.trim());
  const weight = parameters.flatMap((parameter) => /^q\s*=\s*([01](?:\.\d{0,3})?)$/i.exec(parameter)?.[1] ?? [])[0];
  return { range, weight: weight === undefined ? 1 : Number(weight) };
}
