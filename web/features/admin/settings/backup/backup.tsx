import { settingGroup, useSettings } from "../../../../api/settings.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Section } from "../../frame/section.tsx";
import { SettingsLoading, SettingsPage } from "../settings-page.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { PlaceFields, TimeFields } from "./fields.tsx";
import { BackupState } from "./state.tsx";
import { type BackupValues, problemsIn, settingsOf } from "./values.ts";

/** When backups are made and where they go, what became of the last, and one that is made now. */
export function BackupSettings() {
  useLanguage();
  const { data, error, refetch } = useSettings(settingGroup.backup);
  const title = t("admin.titles.backup");
  if (!data) return <SettingsLoading title={title} error={error} onRetry={refetch} sections={3} />;
  const text = (name: string) => data[name]?.value ?? "";
  return (
    <BackupForm
      before={{
        enabled: text("backup_enabled") === "true",
        target: text("backup_target"),
        interval: text("backup_interval"),
        hour: text("backup_hour"),
        keep: text("backup_keep"),
        objects: text("backup_objects") === "true",
        s3: text("backup_s3") === "true",
      }}
    />
  );
}

function BackupForm({ before }: { readonly before: BackupValues }) {
  useLanguage();
  const state = useSettingsForm({ group: settingGroup.backup, before, settingsOf, problemsIn });
  return (
    <SettingsPage title={t("admin.titles.backup")} state={state}>
      <Section title={t("admin.settings.backup.state")} text={t("admin.settings.backup.stateText")}>
        <BackupState hasTarget={before.target !== ""} />
      </Section>
      <Section title={t("admin.settings.backup.place")} text={t("admin.settings.backup.placeText")}>
        <PlaceFields {...state} />
      </Section>
      <Section title={t("admin.settings.backup.time")} text={t("admin.settings.backup.timeText")}>
        <TimeFields {...state} />
      </Section>
    </SettingsPage>
  );
}
