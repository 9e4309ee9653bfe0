import RotateCcw from "lucide-react/icons/rotate-ccw";
import { useState } from "react";
import { MAX_SETTING_CHARACTERS } from "#contract/limits";
import { settingGroup, useSettings } from "../../../api/settings.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Section } from "../frame/section.tsx";
import { endingsIn, kinds, type PreviewValues, problemsIn, settingOf, settingsOf, spaced } from "./preview-values.ts";
import { SettingsLoading, SettingsPage } from "./settings-page.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

/** Which files are shown as what, by the endings of their names. */
export function PreviewSettings() {
  useLanguage();
  const { data, error, refetch } = useSettings(settingGroup.preview);
  if (!data) return <SettingsLoading title={t("admin.titles.preview")} error={error} onRetry={refetch} sections={1} />;
  const all = (part: "value" | "initial") =>
    Object.fromEntries(kinds.map((kind) => [kind, spaced(data[settingOf(kind)]?.[part] ?? "")])) as PreviewValues;
  return <PreviewForm before={all("value")} initial={all("initial")} />;
}

interface PreviewFormProps {
  readonly before: PreviewValues;
  /** The lists of a new installation. */
  readonly initial: PreviewValues;
}

function PreviewForm({ before, initial }: PreviewFormProps) {
  useLanguage();
  const [asking, setAsking] = useState(false);
  const state = useSettingsForm({ group: settingGroup.preview, before, settingsOf, problemsIn });
  const { values, fill, problems } = state;
  const reset = async () => {
    state.discard();
    await state.set(settingsOf(initial));
  };
  const button = (
    <Button icon={<RotateCcw aria-hidden />} onClick={() => setAsking(true)}>
      {t("admin.settings.preview.reset")}
    </Button>
  );
  return (
    <SettingsPage title={t("admin.titles.preview")} tools={button} state={state}>
      <Section title={t("admin.settings.preview.title")} text={t("admin.settings.preview.text")}>
        <div className="grid gap-5">
          {kinds.map((kind) => (
            <TextArea
              key={kind}
              mono
              label={t(`admin.settings.preview.types.${kind}`)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={MAX_SETTING_CHARACTERS}
              rows={kind === "text" ? 4 : 2}
              className="min-h-0"
              value={values[kind]}
              hint={t("admin.settings.preview.count", { count: endingsIn(values[kind]).length })}
              error={problems[settingOf(kind)]}
              onChange={(event) => fill({ [kind]: event.target.value })}
            />
          ))}
        </div>
      </Section>
      {asking && (
        <ConfirmDialog
          title={t("admin.settings.preview.resetTitle")}
          text={t("admin.settings.preview.resetText")}
          confirm={t("admin.settings.preview.reset")}
          onConfirm={reset}
          onClose={() => setAsking(false)}
        />
      )}
    </SettingsPage>
  );
}
