import hljs from "highlight.js/lib/common";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import nginx from "highlight.js/lib/languages/nginx";
import powershell from "highlight.js/lib/languages/powershell";
import type { WorkerAnswer } from "../file/run-worker.ts";
import { linesOf } from "./coloured-lines.ts";

/** Colours code off the page's thread: a grammar can need long for a text that was made to keep it busy. */
for (const [name, grammar] of Object.entries({ dockerfile, nginx, powershell })) hljs.registerLanguage(name, grammar);

interface Task {
  readonly text: string;
  readonly grammar: string;
}

addEventListener("message", ({ data: { text, grammar } }: MessageEvent<Task>) => {
  // highlight.js escapes the text itself and adds nothing but <span class="hljs-...">.
  const html = hljs.highlight(text, { language: grammar, ignoreIllegals: true }).value;
  const answer: WorkerAnswer<string[]> = { result: linesOf(html) };
  postMessage(answer);
});
