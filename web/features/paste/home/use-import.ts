import { useState } from "react";
import { t } from "../../../i18n/i18n.ts";
import { readTextFile } from "../editor/text-file.ts";
import { writing } from "./writing.ts";

/** A file that was read and would take the place of what is written. */
export interface Replacement {
  readonly name: string;
  readonly text: string;
}

const words = { tooLarge: "paste.editor.importTooLarge", notText: "paste.editor.importNotText" } as const;

/** Text files that are picked or dropped: read in at once, or after a question where something is written already. */
export function useImport(write: (text: string) => void) {
  const [problem, setProblem] = useState<string>();
  const [replacement, setReplacement] = useState<Replacement>();

  const take = async (file: File) => {
    const read = await readTextFile(file);
    setProblem("problem" in read ? t(words[read.problem], { name: file.name }) : undefined);
    if ("problem" in read) return;
    if (writing.text.get().trim() === "") write(read.text);
    else setReplacement({ name: file.name, text: read.text });
  };

  return { take, problem, forgive: () => setProblem(undefined), replacement, drop: () => setReplacement(undefined) };
}
