import { type ReactNode, useState } from "react";
import { type ConnectTool, connectTools, type ReadyForm, type ReadyText } from "#contract/connect";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Choices } from "../form/choices.tsx";
import { ReadyBox } from "./ready-box.tsx";
import { Shortcut } from "./shortcut.tsx";

/** A way in for any program of a kind, by what such programs ask for. */
interface Way {
  readonly name: "webdav" | "s3";
  readonly facts: ReactNode;
}

interface ProgramsProps {
  readonly texts: readonly ReadyText[];
  readonly form: ReadyForm | null;
  readonly ways: readonly Way[];
  /** Below what is chosen, such as what a person has to fill in. */
  readonly note?: (texts: readonly ReadyText[]) => ReactNode;
}

/** Programs to choose from, and what the chosen one is told, headed by what that does. */
export function Programs({ texts, form, ways, note }: ProgramsProps) {
  useLanguage();
  const tools = connectTools.filter((tool) =>
    tool === "shortcut" ? form !== null : texts.some((text) => text.tool === tool),
  );
  const programs = [...tools, ...ways.map(({ name }) => name)];
  const [chosen, setChosen] = useState<ConnectTool | Way["name"]>();
  const program = programs.find((one) => one === chosen) ?? programs[0];
  if (!program) return null;
  const told = texts.filter(({ tool }) => tool === program);
  return (
    <>
      <Choices
        legend={t("connect.how")}
        choices={programs.map((value) => ({ value, label: nameOf(value) }))}
        value={program}
        onChoose={setChosen}
        className="flex flex-wrap gap-1.5"
      />
      {hasHint(program) && <p className="-mt-2 text-[13px] text-muted leading-snug">{t(`connect.hint.${program}`)}</p>}
      {told.map((text) => (
        <ReadyBox key={`${text.does} ${text.via}`} ready={text} name={nameOf(program)} />
      ))}
      {note?.(told)}
      {program === "shortcut" && form && <Shortcut form={form} />}
      {ways.find(({ name }) => name === program)?.facts}
    </>
  );
}

/** Programs that have a name of their own, and are called by it in every language. */
const names = {
  ...{ curl: "curl", satchel: "satchel", powershell: "PowerShell", sharex: "ShareX", picgo: "PicGo", rclone: "rclone" },
  ...{ claude: "Claude Code", vscode: "VS Code", cursor: "Cursor" },
  ...{ davfs2: "davfs2", awscli: "awscli", s3cmd: "s3cmd", restic: "restic", cyberduck: "Cyberduck" },
  ...{ webdav: "WebDAV", s3: "S3" },
} as const;

const nameOf = (program: ConnectTool | Way["name"]): string =>
  program === "screenshot" || program === "shortcut" || program === "windows"
    ? t(`connect.program.${program}`)
    : names[program];

/** Programs of which more is to be said than their name says. */
const hinted = ["satchel", "powershell", "sharex", "picgo", "screenshot", "shortcut", "vscode", "cursor"] as const;

const hasHint = (program: string): program is (typeof hinted)[number] => hinted.some((one) => one === program);
