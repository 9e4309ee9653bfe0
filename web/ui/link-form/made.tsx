import { useCallback, useState } from "react";
import type { LinkRecord, NewLink } from "#contract/links";
import { useUpdateLink } from "../../api/links.ts";
import { linkPage } from "../../api/share-addresses.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { copyText } from "../../lib/clipboard.ts";
import { dateTime } from "../../lib/time.ts";
import { buttonClasses } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";
import { Link } from "../link.tsx";
import { Notice } from "../notice.tsx";
import { LinkQr } from "../qr/link-qr.tsx";
import { FactLine } from "../share-gate/fact-line.tsx";
import { SystemShare } from "../share-result/system-share.tsx";
import { LinkConnect } from "./connect.tsx";
import { SealedCommand } from "./sealed-command.tsx";
import { SealedLink } from "./sealed-link.tsx";

/** A link that was just made. */
export interface MadeProps {
  readonly link: LinkRecord;
  readonly copied: boolean;
}

/** Shows a link that was just made. */
export function Made({ link: made, copied }: MadeProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateLink();
  const [recipient, setRecipient] = useState(made.recipient ?? undefined);
  /** It is to seal, and has no key yet: as it is, nobody shall have it. */
  const [isPending, setIsPending] = useState(false);
  const link = linkPage({ ...made, recipient });
  const [inClipboard, setInClipboard] = useState(copied ? link : undefined);
  const name = useCallback(
    async (next: string | undefined) => {
      await update({ id: made.id, change: { recipient: next ?? null } });
      setRecipient(next);
      const after = linkPage({ ...made, recipient: next });
      if (await copyText(after)) setInClipboard(after);
    },
    [made, update],
  );
  const takesAll = made.rights.join() === "upload" && made.kinds.length === 0;
  return (
    <div className="grid gap-3">
      <Status {...{ isPending, link, inClipboard }} />
      {made.rights.join() === "upload" && <Collecting link={made} />}
      {/* A sealed file has another ending and no kind. */}
      {takesAll && <SealedLink onRecipient={name} onPending={setIsPending} />}
      {!isPending && <Uses {...{ made, link, recipient }} />}
    </div>
  );
}

interface StatusProps {
  readonly isPending: boolean;
  readonly link: string;
  /** The link as it was copied, if it was. */
  readonly inClipboard: string | undefined;
}

/** The link as it is now, and whether it is what was copied. */
function Status({ isPending, link, inClipboard }: StatusProps) {
  useLanguage();
  return (
    <>
      <p role="status" className="font-medium text-ok">
        {inClipboard === link && !isPending ? t("link.result.copied") : t("link.result.made")}
      </p>
      {!isPending && <p className="wrap-anywhere rounded-lg bg-sunken px-3 py-2 font-mono text-sm">{link}</p>}
      {isPending && <p className="text-[13px] text-muted">{t("link.sealed.pending")}</p>}
      {!isPending && inClipboard !== undefined && inClipboard !== link && (
        <Notice tone="error">{t("link.sealed.otherCopied")}</Notice>
      )}
    </>
  );
}

interface UsesProps extends Pick<StatusProps, "link"> {
  readonly made: LinkRecord;
  readonly recipient: string | undefined;
}

/** What is done with a link. */
function Uses({ made, link, recipient }: UsesProps) {
  useLanguage();
  const [qr, setQr] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={link} label={t("link.result.copy")} />
        <a href={link} target="_blank" rel="noopener" className={buttonClasses("quiet")}>
          {t("link.result.open")}
        </a>
        <SystemShare label={t("link.result.send")} link={link} />
        <LinkQr label={t("link.result.qr")} link={link} name={made.slug} open={qr} onOpenChange={setQr} />
      </div>
      {/* What else a program is told would send what anybody can read. */}
      {recipient ? <SealedCommand link={made} recipient={recipient} /> : <LinkConnect link={made} />}
    </>
  );
}

interface CollectingProps {
  readonly link: Pick<NewLink, "ask_name" | "sender_folders" | "expires_at">;
}

/** What a link asks of those who send files by it, and until when they may. */
export function CollectingFacts({ link: { ask_name, sender_folders, expires_at } }: CollectingProps) {
  const language = useLanguage();
  return (
    <div className="text-[13px] text-muted">
      <FactLine>
        {ask_name ? t("link.form.askName") : null}
        {sender_folders ? t("link.form.senderFolders") : null}
        {expires_at ? t("link.result.until", { time: dateTime(expires_at, language) }) : null}
      </FactLine>
    </div>
  );
}

/** What a link does by which others send files, so that nobody has to look into its form. */
function Collecting({ link }: CollectingProps) {
  useLanguage();
  return (
    <div className="grid gap-1 text-[13px] text-muted">
      <p>{t("link.result.collects")}</p>
      <CollectingFacts link={link} />
      <p>
        <Link to="/admin/link-management" className="text-accent hover:underline">
          {t("link.own.manage")}
        </Link>
      </p>
    </div>
  );
}
