import Hourglass from "lucide-react/icons/hourglass";
import { useLocation } from "react-router-dom";
import type { SessionState } from "../../api/session/credential.ts";
import { holds } from "../../api/session/may-change.ts";
import { useSession } from "../../api/session/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { pathTo } from "../../lib/base-path.ts";
import { Button, ButtonLink, buttonClasses } from "../button.tsx";
import { CentredCard } from "../card.tsx";
import { CopyButton } from "../copy-button.tsx";

/** The list that has a share, by the first part of its address, and the right that its page needs. */
const lists = [
  { at: "/paste/", list: "text-management", right: "text" },
  { at: "/file/", list: "file-management", right: "file_share" },
] as const;

/** Where somebody who is signed in finds a share of theirs, to give it more time or views. */
function ownList(pathname: string, session: SessionState): string | undefined {
  const kind = lists.find(({ at }) => pathname.startsWith(at));
  if (!kind || !holds(session, kind.right)) return undefined;
  return `/admin/${kind.list}?search=${encodeURIComponent(pathname.slice(kind.at.length))}`;
}

/** Shown in place of a share that has expired or is used up. Nobody is told whose it was; a reader knows who sent the link. */
export function GoneCard() {
  useLanguage();
  const { pathname } = useLocation();
  const own = ownList(pathname, useSession());
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
      <div role="alert" className="mb-5 grid gap-2 text-muted">
        <p>{t("share.gate.goneText")}</p>
        {own && <p>{t("share.gate.goneOwn")}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {own && (
          <ButtonLink to={own} variant="primary">
            {t("share.gate.goneList")}
          </ButtonLink>
        )}
        {/* Plain http:// in a local network has no navigator.share, whatever the types say. */}
        {"share" in navigator ? (
          <Button variant={own ? "quiet" : "primary"} onClick={send}>
            {t("share.gate.ask")}
          </Button>
        ) : (
          <CopyButton variant={own ? "quiet" : "primary"} text={text} label={t("share.gate.askCopy")} />
        )}
        {own ? null : (
          <a href={mail} className={buttonClasses("quiet")}>
            {t("share.gate.askMail")}
          </a>
        )}
        <ButtonLink to="/">{t("share.gate.home")}</ButtonLink>
      </div>
    </CentredCard>
  );
}
