import type { ReactNode } from "react";
import { type EncodingName, encodings } from "#contract/text/encodings";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { type CursorStatus, languageNames } from "../../../preview/text/editing/file-editor.tsx";
import type { TextWork } from "./text-work.ts";

interface TextStatusBarProps {
  readonly work: TextWork;
  readonly encoding: EncodingName;
  readonly cursor: CursorStatus | undefined;
  /** One of `languageNames`; empty is none. */
  readonly language: string;
  readonly onLanguage: (language: string) => void;
}

/** The line below an editor: where the caret is, and how the text is read. */
export function TextStatusBar({ work, encoding, cursor, language, onLanguage }: TextStatusBarProps) {
  const number = new Intl.NumberFormat(useLanguage());
  const { held, busy } = work;
  return (
    <footer
      data-at-bottom
      className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-surface px-3 py-1 text-[13px] text-muted sm:px-4"
    >
      {cursor ? (
        <span className="tabular-nums">
          {t("editing.file.place", { line: number.format(cursor.line), column: number.format(cursor.column) })}
          {cursor.marked > 0 ? ` · ${t("editing.file.marked", { count: number.format(cursor.marked) })}` : ""}
        </span>
      ) : null}
      {cursor ? (
        <span className="tabular-nums max-sm:hidden">
          {t("editing.file.counts", {
            count: cursor.lines,
            characters: t("editing.characters", { count: cursor.characters }),
          })}
        </span>
      ) : null}
      <span className="ml-auto" />
      {held ? <span className="max-sm:hidden">{held.form.crlf ? "CRLF" : "LF"}</span> : null}
      <Choice
        label={t("editing.file.encoding")}
        value={encoding}
        disabled={busy || !held}
        onChange={(next) => work.readAs(next as EncodingName)}
      >
        {encodings.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </Choice>
      <Choice label={t("editing.file.language")} value={language} disabled={false} onChange={onLanguage}>
        <option value="">{t("editing.file.noLanguage")}</option>
        {languageNames.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </Choice>
    </footer>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

function Choice({ label, value, disabled, onChange, children }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 max-w-36 max-sm:max-w-28 rounded-lg border border-line bg-raised px-2 text-[13px] text-text disabled:opacity-60 pointer-coarse:h-11"
    >
      {children}
    </select>
  );
}
