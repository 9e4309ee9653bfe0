import { useState } from "react";
import { t } from "../../../i18n/i18n.ts";
import { readTextFile } from "../editor/text-file.ts";
import { writing } from "./writing.ts";

/** An imported file that would replace the present text. */
interface Replacement {
  readonly name: string;
  readonly text: string;
}

const words = { tooLarge: "paste.editor.importTooLarge", notText: "paste.editor.importNotText" } as const;

/** Text files that are picked or dropped: read in at once, or after a question where something is written already. */
export function useImport(write: (text: string) => void) {
  const [problem, setProblem] = useState<string>();
  const [replacement, setReplacement] = useState<Replacement>();

  /** Reads a file in if it is a text; answers why it is none. */
  const offer = async (file: File) => {
    const read = await readTextFile(file);
    setProblem(undefined);
    if ("problem" in read) return read.problem;
    if (writing.text.get().trim() === "") write(read.text);
    else setReplacement({ name: file.name, text: read.text });
    return undefined;
  };
  const take = async (file: File) => {
    const wrong = await offer(file);
    if (wrong) setProblem(t(words[wrong], { name: file.name }));
  };

  return {
    offer,
    take,
    problem,
    /** Says why something else that was dropped goes nowhere. */
    refuse: setProblem,
    forgive: () => setProblem(undefined),
    replacement,
    drop: () => setReplacement(undefined),
  };
}
