import { settingGroup, useSettings } from "../../../../api/settings.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Section } from "../../frame/section.tsx";
import { SettingsLoading, SettingsPage } from "../settings-page.tsx";
import { splitSize } from "../size.ts";
import { useSettingsForm } from "../use-settings-form.ts";
import { ActivityFields } from "./activity-fields.tsx";
import { SignatureFields, TextFields, TrashFields, UploadFields } from "./fields.tsx";
import { type GlobalValues, problemsIn, settingsOf } from "./values.ts";

/** What holds for everybody: uploads, room for texts, signatures. */
export function GlobalSettings() {
  useLanguage();
  const { data, error, refetch } = useSettings(settingGroup.global);
  const title = t("admin.titles.global");
  if (!data) return <SettingsLoading title={title} error={error} onRetry={refetch} sections={4} />;
  const text = (name: string) => data[name]?.value ?? "";
  return (
    <GlobalForm
      before={{
        ...splitSize(text("max_upload_size")),
        proxy: text("default_use_proxy") === "true",
        naming: text("file_naming_strategy"),
        trash: text("trash_days"),
        activity: text("activity_log") === "true",
        activityDays: text("activity_days"),
        visitorTexts: text("max_visitor_texts"),
        keyTexts: text("max_key_texts"),
        totalTexts: text("max_total_texts"),
        signAll: text("proxy_sign_all") === "true",
        signExpires: text("proxy_sign_expires"),
      }}
    />
  );
}

function GlobalForm({ before }: { readonly before: GlobalValues }) {
  useLanguage();
  const state = useSettingsForm({ group: settingGroup.global, before, settingsOf, problemsIn });
  return (
    <SettingsPage title={t("admin.titles.global")} state={state}>
      <Section title={t("admin.settings.upload.title")} text={t("admin.settings.upload.text")}>
        <UploadFields {...state} />
      </Section>
      <Section title={t("admin.settings.trash.title")} text={t("admin.settings.trash.text")}>
        <TrashFields {...state} />
      </Section>
      <Section title={t("admin.settings.activity.title")} text={t("admin.settings.activity.text")}>
        <ActivityFields {...state} />
      </Section>
      <Section title={t("admin.settings.signature.title")} text={t("admin.settings.signature.text")}>
        <SignatureFields {...state} />
      </Section>
      <Section title={t("admin.settings.texts.title")} text={t("admin.settings.texts.text")}>
        <TextFields {...state} />
      </Section>
    </SettingsPage>
  );
}
