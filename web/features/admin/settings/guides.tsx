import { type ReactNode, useState } from "react";
import { serverAddress } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Choices } from "../../../ui/form/choices.tsx";

/** Where WebDAV is: on the server of the API, which is mostly that of the page. */
export const davAddress = (): URL => new URL(`${serverAddress()}/dav`);

const systems = ["windows", "mac", "linux", "phone"] as const;
type System = (typeof systems)[number];

/** The system that somebody looks from, as the browser says. */
function ownSystem(): System {
  const { userAgent } = navigator;
  if (/Android|iPhone|iPad/.test(userAgent)) return "phone";
  if (/Windows/.test(userAgent)) return "windows";
  return /Mac OS X/.test(userAgent) ? "mac" : "linux";
}

/** How to open the files from each system, step by step. */
export function Guides() {
  useLanguage();
  const [system, setSystem] = useState(ownSystem);
  const Guide = guides[system];
  return (
    <>
      <Choices
        hiddenLegend
        legend={t("admin.settings.webdav.system")}
        value={system}
        choices={systems.map((value) => ({ value, label: t(`admin.settings.webdav.${value}.name`) }))}
        onChoose={setSystem}
        className="grid grid-cols-2 gap-1 sm:grid-cols-4"
      />
      <ol className="mt-4 grid list-decimal gap-2.5 pl-5 marker:text-muted">
        <Guide />
      </ol>
    </>
  );
}

const guides: Readonly<Record<System, () => ReactNode>> = {
  windows: () => (
    <>
      <li>{t("admin.settings.webdav.windows.a")}</li>
      <li>{t("admin.settings.webdav.windows.b")}</li>
      <li>
        {t("admin.settings.webdav.windows.c")}
        <Command text={`net use * ${davAddress().href} /user:admin *`} />
        <p className="mt-2 text-[13px] text-muted">{t("admin.settings.webdav.windows.note")}</p>
      </li>
    </>
  ),
  mac: () => (
    <>
      <li>{t("admin.settings.webdav.mac.a")}</li>
      <li>{t("admin.settings.webdav.mac.b")}</li>
      <li>{t("admin.settings.webdav.mac.c")}</li>
    </>
  ),
  linux: () => (
    <>
      <li>
        {t("admin.settings.webdav.linux.a")}
        <Command text={gnomeAddress(davAddress())} />
      </li>
      <li>{t("admin.settings.webdav.linux.b")}</li>
      <li>
        {t("admin.settings.webdav.linux.c")}
        <Command text={`sudo mount -t davfs ${davAddress().href} /mnt`} />
      </li>
    </>
  ),
  phone: () => (
    <>
      <li>{t("admin.settings.webdav.phone.a")}</li>
      <li>{t("admin.settings.webdav.phone.b")}</li>
      <li>{t("admin.settings.webdav.phone.c")}</li>
    </>
  ),
};

/** Something to type or paste elsewhere. */
const Command = ({ text }: { readonly text: string }) => (
  <span className="mt-1.5 flex items-center gap-1 rounded-lg bg-sunken pl-3">
    <code className="wrap-anywhere min-w-0 flex-1 py-1.5 font-mono text-[13px]">{text}</code>
    <CopyButton iconOnly text={text} label={t("admin.settings.webdav.copyCommand")} />
  </span>
);

/** The same as file managers of GNOME write it. */
const gnomeAddress = ({ protocol, host, pathname }: URL): string =>
  `${protocol === "https:" ? "davs" : "dav"}://${host}${pathname}`;
