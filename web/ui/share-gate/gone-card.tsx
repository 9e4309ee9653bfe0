import Hourglass from "lucide-react/icons/hourglass";
import { useLocation } from "react-router-dom";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { pathTo } from "../../lib/base-path.ts";
import { Button, ButtonLink, buttonClasses } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";
import { CentredCard } from "../surface.tsx";

/** Shown in place of a share that has expired or is used up. Nobody is told whose it was; a reader knows who sent the link. */
export function GoneCard() {
  useLanguage();
  const { pathname } = useLocation();
  const link = window.location.origin + pathTo(pathname);
  const text = t("share.gate.askText", { link });
  const mail = `mailto:?subject=${encodeURIComponent(t("share.gate.askTitle"))}&body=${encodeURIComponent(text)}`;
  const send = async () => {
    try {
      await navigator.share({ text });
    } catch (error) {
      // Who closes the sheet has changed their mind; where it did not open, mail is beside it.
      if (!(error instanceof Error)) throw error;
    }
  };
  return (
    <CentredCard icon={<Hourglass aria-hidden />} title={t("share.gate.goneTitle")}>
      <p role="alert" className="mb-5 text-muted">
        {t("share.gate.goneText")}
      </p>
      <div className="flex flex-wrap gap-2">
        {/* Plain http:// in a local network has no navigator.share, whatever the types say. */}
        {"share" in navigator ? (
          <Button variant="primary" onClick={send}>
            {t("share.gate.ask")}
          </Button>
        ) : (
          <CopyButton variant="primary" text={text} label={t("share.gate.askCopy")} />
        )}
        <a href={mail} className={buttonClasses("quiet")}>
          {t("share.gate.askMail")}
        </a>
        <ButtonLink to="/">{t("share.gate.home")}</ButtonLink>
      </div>
    </CentredCard>
  );
}
