import { useState } from "react";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { useSession } from "../../../api/session.ts";
import { t } from "../../../i18n/i18n.ts";
import { noOptions, type OptionProblem, optionProblem, type ShareOptions } from "../../../ui/share-options/options.ts";
import { bytesOf } from "../editor/size.ts";
import { readTextFile } from "../editor/text-file.ts";
import { useDraft } from "../editor/use-draft.ts";
import { useCreation } from "./use-creation.ts";

type Field = OptionProblem["field"];

/** Everything the home page holds: the text and its draft, the options, and the share that comes of them. */
export function useHome() {
  const { authType } = useSession();
  const { draft, restored, tooLarge } = useDraft();
  const [text, setText] = useState(restored);
  const [options, setOptions] = useState<ShareOptions>(noOptions);
  const [openChip, setOpenChip] = useState<Field>();
  const [fileProblem, setFileProblem] = useState<string>();
  const creation = useCreation();

  const write = (next: string) => {
    setText(next);
    setFileProblem(undefined);
    draft.note(next);
  };
  const decide = (next: ShareOptions) => {
    setOptions(next);
    creation.forgive();
  };
  const take = async (file: File) => {
    const read = await readTextFile(file);
    if ("text" in read) return write(read.text);
    const words = { tooLarge: "paste.editor.importTooLarge", notText: "paste.editor.importNotText" } as const;
    setFileProblem(t(words[read.problem], { name: file.name }));
  };
  const beginAnew = () => {
    draft.clear();
    setText("");
    setOptions(noOptions);
    setOpenChip(undefined);
  };
  const create = async () => {
    if (authType === "none" || creation.created || obstacleOf(text)) return;
    const wrong = optionProblem(options, Date.now());
    const outcome = wrong ? wrong.field : await creation.create(text, options);
    if (outcome === "created") beginAnew();
    else if (outcome !== "refused") setOpenChip(outcome);
  };

  return {
    signedIn: authType !== "none",
    text,
    write,
    take,
    fileProblem,
    draftTooLarge: tooLarge && text !== "",
    options,
    decide,
    openChip,
    setOpenChip,
    problem: optionProblem(options, Date.now()) ?? creation.problem,
    obstacle: obstacleOf(text),
    create,
    creation,
  };
}

/** Why a text cannot be shared. One of fewer characters than a third of the limit cannot have too many bytes. */
function obstacleOf(text: string): string | undefined {
  if (text.trim() === "") return t("paste.home.empty");
  if (text.length * 3 > MAX_CONTENT_BYTES && bytesOf(text) > MAX_CONTENT_BYTES) return t("paste.home.tooLarge");
  return undefined;
}
