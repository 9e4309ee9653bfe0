import CloudUpload from "lucide-react/icons/cloud-upload";
import RefreshCw from "lucide-react/icons/refresh-cw";
import X from "lucide-react/icons/x";
import { type ReactNode, useState } from "react";
import { failureText } from "../../api/failure.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { Frame, Modes, tall } from "../file/frame.tsx";
import { ViewerNote } from "../file/viewer-note.tsx";

/** Viewers of office files on servers of others. `url` becomes the address of the file. */
const templates = {
  microsoft: "https://view.officeapps.live.com/op/embed.aspx?src={url}",
  google: "https://docs.google.com/viewer?url={url}&embedded=true",
} as const;

type ProviderName = keyof typeof templates;

const providerNames = Object.keys(templates) as ProviderName[];

/** The address of a file in the viewer of a provider. */
const viewerAddress = (provider: ProviderName, url: string): string =>
  templates[provider].replace("{url}", encodeURIComponent(url));

interface OnlineLookProps {
  readonly name: string;
  /** Asks for an address that the provider can fetch; undefined where there is none to give away. */
  readonly address: (() => Promise<string>) | undefined;
  /** What is shown before; it is handed the button that asks for more. */
  readonly children: (button: ReactNode) => ReactNode;
}

interface Away {
  readonly provider: ProviderName;
  readonly url?: string;
  readonly failure?: unknown;
}

/** Offers an office file to a viewer elsewhere, after saying that it leaves this server. */
export function OnlineView({ name, address, children }: OnlineLookProps) {
  useLanguage();
  const [asked, setAsked] = useState(false);
  const [away, setAway] = useState<Away>();
  if (!address) return children(null);
  const open = async (provider: ProviderName) => {
    setAsked(false);
    setAway({ provider });
    try {
      const url = await address();
      setAway({ provider, url });
    } catch (failure) {
      setAway({ provider, failure });
    }
  };
  if (away) return <Elsewhere {...{ name, away, open }} onClose={() => setAway(undefined)} />;
  return (
    <>
      {children(
        <Button icon={<CloudUpload aria-hidden />} onClick={() => setAsked(true)}>
          {t("viewer.online.open")}
        </Button>,
      )}
      {asked && (
        <Dialog
          title={t("viewer.online.title")}
          onClose={() => setAsked(false)}
          footer={providerNames.map((provider) => (
            <Button key={provider} onClick={() => void open(provider)}>
              {t(`viewer.online.${provider}`)}
            </Button>
          ))}
        >
          <p className="text-muted">{t("viewer.online.leaves")}</p>
        </Dialog>
      )}
    </>
  );
}

interface ElsewhereProps {
  readonly name: string;
  readonly away: Away;
  readonly open: (provider: ProviderName) => Promise<void>;
  readonly onClose: () => void;
}

function Elsewhere({ name, away: { provider, url, failure }, open, onClose }: ElsewhereProps) {
  useLanguage();
  const options = providerNames.map((value) => ({ value, label: t(`viewer.online.${value}`) }));
  const tools = (
    <>
      <Modes
        label={t("viewer.online.provider")}
        value={provider}
        options={options}
        onPick={(next) => void open(next)}
      />
      <span className="ml-auto" />
      <IconButton label={t("viewer.online.refresh")} onClick={() => void open(provider)}>
        <RefreshCw aria-hidden />
      </IconButton>
      <IconButton label={t("viewer.online.back")} onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </>
  );
  return (
    <Frame label={t("file.view.tools")} tools={tools}>
      <ViewerNote>{t("viewer.online.hint")}</ViewerNote>
      {failure ? (
        <div className="p-4">
          <Notice tone="error">{failureText(failure)}</Notice>
        </div>
      ) : (
        <iframe
          key={url}
          title={name}
          src={url && viewerAddress(provider, url)}
          sandbox="allow-scripts allow-same-origin allow-popups allow-forms"
          referrerPolicy="no-referrer"
          className={`w-full border-0 bg-sunken ${tall}`}
        />
      )}
    </Frame>
  );
}
