import type { Language } from "#contract/languages";
import { programOf } from "../activity/programs.ts";
import { curlIn } from "./connect/ready.ts";
import type { RequestContext } from "./context.ts";
import { languageOf } from "./language.ts";

const words: Readonly<Record<Language, string>> = {
  en: "Send it with:",
  zh: "请这样发送：",
  ja: "次のように送ってください：",
  es: "Envíala así:",
  de: "So sendest du es:",
  fr: "Envoyez-le ainsi :",
};

/** What a file is sent by, for each method that sends one. */
const sending: Readonly<Record<string, readonly string[]>> = { PUT: ["-T", "FILE"], POST: ["-F", "file=@FILE"] };

/** Says at a terminal how the password of what it has asked for is sent: the same request once more, as a line for its shell. */
export function passwordHint({ method, headers }: Request, { base, path, query }: RequestContext): string {
  const shell = programOf(headers.get("user-agent")) === "PowerShell" ? "powershell" : "curl";
  const address = base() + path + ("raw" in query.values ? "?raw" : "");
  const line = curlIn(shell, "-u", ":PASSWORD", ...(sending[method] ?? []), address);
  return `${words[languageOf(headers)]}\n\n    ${line}\n`;
}
