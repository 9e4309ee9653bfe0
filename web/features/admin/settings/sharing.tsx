import { MAX_VISITOR_SHARES } from "#contract/limits";
import { settingGroup, useSettings } from "../../../api/settings.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { TextField } from "../../../ui/form/field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { spanWords } from "../../../ui/share-options/expiry-field.tsx";
import { Section } from "../frame/section.tsx";
import { SettingsLoading, SettingsPage } from "./settings-page.tsx";
import { isNumber } from "./size.ts";
import { useSettingsForm } from "./use-settings-form.ts";

/** The settings of the page by their own names, as texts. */
interface SharingValues {
  readonly share_expiry_default: string;
  readonly share_expiry_longest: string;
  readonly visitor_expiry_longest: string;
  readonly visitor_max_file: string;
  readonly visitor_max_shares: string;
  readonly visitor_max_files: string;
}

const names = [
  "share_expiry_default",
  "share_expiry_longest",
  "visitor_expiry_longest",
  "visitor_max_file",
  "visitor_max_shares",
  "visitor_max_files",
] as const satisfies readonly (keyof SharingValues)[];

const settingsOf = (values: SharingValues): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, values[name].trim()]));

function problemsIn(values: SharingValues): Readonly<Record<string, string>> {
  const shares = values.visitor_max_shares.trim();
  const isWhole = /^\d+$/.test(shares) && Number(shares) <= MAX_VISITOR_SHARES;
  return {
    ...(!isNumber(values.visitor_max_file) && { visitor_max_file: t("admin.settings.number") }),
    ...(!isNumber(values.visitor_max_files) && { visitor_max_files: t("admin.settings.number") }),
    ...(!isWhole && { visitor_max_shares: t("admin.settings.count", { most: MAX_VISITOR_SHARES }) }),
  };
}

/** How long shares last, and what visitors may share. */
export function SharingSettings() {
  useLanguage();
  const { data, error, refetch } = useSettings(settingGroup.sharing);
  if (!data) return <SettingsLoading title={t("admin.nav.sharing")} error={error} onRetry={refetch} sections={2} />;
  const before = Object.fromEntries(names.map((name) => [name, data[name]?.value ?? "0"])) as Record<
    (typeof names)[number],
    string
  >;
  return <SharingForm before={before} />;
}

/** Hours of the usual choices. */
const HOURS = [1, 24, 72, 168, 336, 720, 2160, 8760] as const;
const YEAR = 8760;

/** The usual spans, none, and what was set by other means. */
function choicesWith(value: string, none: string) {
  const hours = new Set<number>([...HOURS, Number(value)]);
  hours.delete(0);
  const spans = [...hours].filter(Number.isInteger).sort((a, b) => a - b);
  const words = (span: number) =>
    span % YEAR === 0 ? t("admin.settings.sharing.year", { count: span / YEAR }) : spanWords(span);
  return [{ value: "0", label: none }, ...spans.map((span) => ({ value: String(span), label: words(span) }))];
}

function SharingForm({ before }: { readonly before: SharingValues }) {
  useLanguage();
  const state = useSettingsForm({ group: settingGroup.sharing, before, settingsOf, problemsIn });
  const { values, fill, problems } = state;
  const span = (name: keyof SharingValues, label: string, none: string, hint: string) => (
    <div>
      <SelectField
        label={label}
        choices={choicesWith(values[name], none)}
        value={values[name]}
        onChoose={(value) => fill({ [name]: value })}
      />
      <p className="mt-1.5 text-[13px] text-muted">{hint}</p>
    </div>
  );
  const number = (name: keyof SharingValues, label: string) => (
    <TextField
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={values[name]}
      error={problems[name]}
      onChange={({ target }) => fill({ [name]: target.value })}
    />
  );
  const [never, unlimited] = [t("admin.settings.sharing.never"), t("admin.settings.sharing.unlimited")];
  return (
    <SettingsPage title={t("admin.nav.sharing")} state={state}>
      <Section title={t("admin.settings.sharing.title")} text={t("admin.settings.sharing.text")}>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          {span(
            "share_expiry_default",
            t("admin.settings.sharing.usual"),
            never,
            t("admin.settings.sharing.usualHint"),
          )}
          {span(
            "share_expiry_longest",
            t("admin.settings.sharing.longest"),
            unlimited,
            t("admin.settings.sharing.longestHint"),
          )}
        </div>
      </Section>
      <Section title={t("admin.settings.sharing.visitorsTitle")} text={t("admin.settings.sharing.visitorsText")}>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          {span(
            "visitor_expiry_longest",
            t("admin.settings.sharing.visitorLongest"),
            unlimited,
            t("admin.settings.sharing.longestHint"),
          )}
          {number("visitor_max_shares", t("admin.settings.sharing.visitorShares"))}
          {number("visitor_max_file", t("admin.settings.sharing.visitorFile"))}
          {number("visitor_max_files", t("admin.settings.sharing.visitorFiles"))}
        </div>
        <p className="mt-3 text-[13px] text-muted">{t("admin.settings.sharing.zero")}</p>
      </Section>
    </SettingsPage>
  );
}
