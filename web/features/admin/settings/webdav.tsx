import QrCodeIcon from "lucide-react/icons/qr-code";
import { settingGroup, useSettings } from "../../../api/settings.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Popover } from "../../../ui/overlay/popover.tsx";
import { QrCode } from "../../../ui/qr/qr-code.tsx";
import { Section } from "../frame/section.tsx";
import { davAddress, Guides } from "./guides.tsx";
import { SettingsLoading, SettingsPage } from "./settings-page.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

const MODE = "webdav_upload_mode";
const modes = ["direct", "multipart"] as const;
type Mode = (typeof modes)[number];

interface WebDavValues {
  readonly mode: string;
}

/** Where WebDAV is, how to connect to it, and how it writes. */
export function WebDavSettings() {
  useLanguage();
  const { data, error, refetch } = useSettings(settingGroup.webdav);
  if (!data) return <SettingsLoading title={t("admin.titles.webdav")} error={error} onRetry={refetch} sections={3} />;
  return <WebDavForm before={{ mode: data[MODE]?.value ?? "" }} />;
}

function WebDavForm({ before }: { readonly before: WebDavValues }) {
  useLanguage();
  const state = useSettingsForm({ group: settingGroup.webdav, before, settingsOf, problemsIn: () => ({}) });
  const { values, fill } = state;
  return (
    <SettingsPage title={t("admin.titles.webdav")} state={state}>
      <Section title={t("admin.settings.webdav.address")} text={t("admin.settings.webdav.addressText")}>
        <Address />
      </Section>
      <Section title={t("admin.settings.webdav.connect")} text={t("admin.settings.webdav.connectText")}>
        <Guides />
      </Section>
      <Section title={t("admin.settings.webdav.mode")} text={t("admin.settings.webdav.modeText")}>
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="sr-only">{t("admin.settings.webdav.mode")}</legend>
          {modes.map((mode) => (
            <ModeChoice key={mode} mode={mode} chosen={values.mode === mode} onChoose={() => fill({ mode })} />
          ))}
        </fieldset>
      </Section>
    </SettingsPage>
  );
}

const settingsOf = ({ mode }: WebDavValues) => ({ [MODE]: mode });

function Address() {
  const address = davAddress().href;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <code className="wrap-anywhere min-w-0 flex-1 basis-56 rounded-lg bg-sunken px-3 py-2 font-mono text-[13px]">
          {address}
        </code>
        <CopyButton text={address} label={t("admin.settings.webdav.copy")} />
        <Popover
          label={t("admin.list.qr")}
          trigger={(props) => (
            <IconButton label={t("admin.list.qr")} {...props}>
              <QrCodeIcon aria-hidden />
            </IconButton>
          )}
        >
          <div className="p-5">
            <QrCode text={address} fileName="webdav" />
          </div>
        </Popover>
      </div>
      <h3 className="mt-5 mb-1 font-medium">{t("admin.settings.webdav.login")}</h3>
      <p className="text-muted">{t("admin.settings.webdav.loginAdmin")}</p>
      <p className="text-muted">{t("admin.settings.webdav.loginKey")}</p>
    </>
  );
}

interface ModeChoiceProps {
  readonly mode: Mode;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

const ModeChoice = ({ mode, chosen, onChoose }: ModeChoiceProps) => (
  <label
    className={`flex cursor-pointer gap-3 rounded-lg border p-3 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent ${
      chosen ? "border-accent bg-accent-soft" : "border-line hover:border-line-strong"
    }`}
  >
    <input
      type="radio"
      name={MODE}
      checked={chosen}
      onChange={onChoose}
      className="mt-0.5 size-4 shrink-0 accent-accent"
    />
    <span>
      <span className="block font-medium">{t(`admin.settings.webdav.${mode}`)}</span>
      <span className="block text-[13px] text-muted">{t(`admin.settings.webdav.${mode}Text`)}</span>
    </span>
  </label>
);
