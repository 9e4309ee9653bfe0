import { settingGroup, useSettings } from "../../../api/settings.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Card } from "../../../ui/card.tsx";
import { EndingsRow } from "./endings-row.tsx";
import { kinds, type PreviewValues, problemsIn, settingOf, settingsOf } from "./preview-values.ts";
import { SettingsLoading, SettingsPage } from "./settings-page.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

/** Which files are shown as what, by the endings of their names. */
export function PreviewSettings() {
  useLanguage();
  const { data, error, refetch } = useSettings(settingGroup.preview);
  if (!data) return <SettingsLoading title={t("admin.titles.preview")} error={error} onRetry={refetch} sections={1} />;
  const all = (part: "value" | "initial") =>
    Object.fromEntries(kinds.map((kind) => [kind, data[settingOf(kind)]?.[part] ?? ""])) as PreviewValues;
  return <PreviewForm before={all("value")} initial={all("initial")} />;
}

interface PreviewFormProps {
  readonly before: PreviewValues;
  /** The lists of a new installation. */
  readonly initial: PreviewValues;
}

function PreviewForm({ before, initial }: PreviewFormProps) {
  useLanguage();
  const state = useSettingsForm({ group: settingGroup.preview, before, settingsOf, problemsIn });
  const { values, fill, problems } = state;
  return (
    <SettingsPage title={t("admin.titles.preview")} state={state}>
      <div>
        <p className="mb-3 max-w-prose text-muted">{t("admin.settings.preview.text")}</p>
        <Card>
          <table className="w-full max-sm:block">
            <thead className="sr-only">
              <tr>
                <th scope="col">{t("admin.settings.preview.kind")}</th>
                <th scope="col">{t("admin.settings.preview.endings")}</th>
                <th scope="col">{t("admin.settings.preview.reset")}</th>
              </tr>
            </thead>
            <tbody className="max-sm:block">
              {kinds.map((kind) => (
                <EndingsRow
                  key={kind}
                  kind={kind}
                  value={values[kind]}
                  initial={initial[kind]}
                  error={problems[settingOf(kind)]}
                  onChange={(value) => fill({ [kind]: value })}
                />
              ))}
            </tbody>
          </table>
        </Card>
      </div>
    </SettingsPage>
  );
}
