import type { ImportKindReport, ImportLine, ImportReport } from "#contract/imports";
import { type Language, languages } from "#contract/languages";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { dateTime } from "../../../lib/time.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../frame/section.tsx";

const numberOf = (count: number, language: Language): string =>
  new Intl.NumberFormat(languages[language].locale).format(count);

/** What an import would do, or has done: how many of each kind, and what is left out or different, with its names. */
export function Report({ report }: { readonly report: ImportReport }) {
  const language = useLanguage();
  const { dry_run: isPlan, kinds, tables, checksum } = report;
  const told = kinds.filter(({ notes, reasons }) => notes.length + reasons.length > 0);
  return (
    <Section title={t(isPlan ? "admin.import.planTitle" : "admin.import.doneTitle")} text={aboutOf(report, language)}>
      {checksum === "missing" && (
        <Notice tone="plain" className="mb-4">
          {t("admin.import.unchecked")}
        </Notice>
      )}
      <Counts kinds={kinds} language={language} isPlan={isPlan} />
      {told.map((kind) => (
        <Details key={kind.kind} kind={kind} language={language} />
      ))}
      {tables.length > 0 && (
        <>
          <h3 className="mt-6 mb-1.5 font-semibold">{t("admin.import.tables")}</h3>
          <ul className="grid gap-1.5 text-[13px]">
            {tables.map(({ table, rows, text }) => (
              <li key={table} className="wrap-anywhere">
                {t("admin.import.table", { table, rows: numberOf(rows, language), text })}
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function aboutOf({ made_at, schema }: ImportReport, language: Language): string {
  const isInstant = made_at !== null && !Number.isNaN(Date.parse(made_at));
  const made = made_at === null ? undefined : isInstant ? dateTime(made_at, language) : made_at;
  const parts = [
    made !== undefined && t("admin.import.made", { when: made }),
    schema !== null && t("admin.import.schema", { schema }),
  ];
  return parts.filter((part) => part !== false).join(language === "zh" ? "" : " ");
}

interface CountsProps {
  readonly kinds: readonly ImportKindReport[];
  readonly language: Language;
  readonly isPlan: boolean;
}

const head = "px-1.5 pb-2 text-right align-bottom font-medium text-muted text-xs last:pr-0";
const cell = "px-1.5 py-2 text-right tabular-nums last:pr-0";

function Counts({ kinds, language, isPlan }: CountsProps) {
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="border-line border-b">
          <th scope="col" className="pb-2 text-left align-bottom font-medium text-muted text-xs">
            {t("admin.import.columns.kind")}
          </th>
          {(["rows", isPlan ? "adds" : "added", "present", "left"] as const).map((name) => (
            <th key={name} scope="col" className={head}>
              {t(`admin.import.columns.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, title, rows, added, present, left }) => (
          <tr key={kind} className="border-line border-b last:border-b-0">
            <th scope="row" className="py-2 text-left font-medium">
              {title}
            </th>
            <td className={cell}>{numberOf(rows, language)}</td>
            <td className={added > 0 ? `${cell} font-semibold` : cell}>{numberOf(added, language)}</td>
            <td className={cell}>{numberOf(present, language)}</td>
            <td className={cell}>{numberOf(left, language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DetailsProps {
  readonly kind: ImportKindReport;
  readonly language: Language;
}

function Details({ kind: { title, notes, reasons }, language }: DetailsProps) {
  const lineOf = (what: "left" | "changed") => (line: ImportLine) => (
    <li key={`${what} ${line.code}`}>
      <p>{t(`admin.import.${what}`, { rows: numberOf(line.rows, language), text: line.text })}</p>
      <p className="wrap-anywhere text-muted">
        {line.examples.join(t("admin.import.comma"))}
        {line.rows > line.examples.length && t("admin.import.more")}
      </p>
    </li>
  );
  return (
    <>
      <h3 className="mt-6 mb-1.5 font-semibold">{title}</h3>
      <ul className="grid gap-2 text-[13px]">
        {reasons.map(lineOf("left"))}
        {notes.map(lineOf("changed"))}
      </ul>
    </>
  );
}
