import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import type { LinkRecord, NewLinkItem } from "#contract/links";
import { useCreateLink } from "../../api/link-records.ts";
import { linkPage } from "../../api/links.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { copyText } from "../../lib/clipboard.ts";
import { shownName } from "../../lib/shown-name.ts";
import { dateTime } from "../../lib/time.ts";
import { Button, buttonClasses } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";
import { Dialog } from "../dialog.tsx";
import { Refused } from "../form/refused.tsx";
import { DiscardDialog, Unsaved } from "../form/unsaved.tsx";
import { useForm } from "../form/use-form.ts";
import { FactLine } from "../share-gate/fact-line.tsx";
import { LinkQr } from "../share-result/link-qr.tsx";
import { LinkConnect } from "./connect.tsx";
import { LinkFields } from "./fields.tsx";
import { collecting, type LinkProblems, linkProblems, newLinkOf, newLinkValues } from "./values.ts";

/** Something that a link is to lead to. */
interface LinkedThing {
  readonly name: string;
  readonly item: NewLinkItem;
}

interface LinkDialogProps {
  readonly items: readonly LinkedThing[];
  /** They have a folder, and whoever makes the link may upload. */
  readonly mayUpload: boolean;
  /** It is a link by which others send files, and made at once. */
  readonly collects?: boolean;
  readonly onClose: () => void;
}

const FORM = "new-link";

/** Makes a link to files, folders and texts, and shows it. It is copied at once. */
export function LinkDialog({ items, mayUpload, collects = false, onClose }: LinkDialogProps) {
  useLanguage();
  const [before] = useState(() => (collects ? { ...newLinkValues, ...collecting(Date.now()) } : newLinkValues));
  const { mutateAsync: create } = useCreateLink();
  const [made, setMade] = useState<MadeProps>();
  const [discarding, setDiscarding] = useState(false);
  const state = useForm<typeof newLinkValues, ReturnType<typeof newLinkOf>, LinkProblems>({
    before,
    changeOf: (values) =>
      newLinkOf(
        values,
        items.map(({ item }) => item),
      ),
    problemsIn: (values) => linkProblems(values, newLinkValues, Date.now()),
    refusable: ["slug", "expiry"],
    save: async (body) => {
      const link = await create(body);
      setMade({ link, copied: await copyText(linkPage(link)) });
    },
    onUnchanged: onClose,
  });
  const { form } = state;
  useEffect(() => {
    if (collects) form.current?.requestSubmit();
  }, [collects, form]);
  const close = () => (state.touched && !made ? setDiscarding(true) : onClose());
  const footer = made ? (
    <Button variant="primary" onClick={onClose} data-autofocus>
      {t("link.result.done")}
    </Button>
  ) : (
    <>
      {state.refused !== undefined && <Refused error={state.refused} className="w-full" />}
      <Button onClick={close}>{t("link.form.cancel")}</Button>
      <Button type="submit" form={FORM} variant="primary" busy={state.busy}>
        {t("link.form.create")}
      </Button>
    </>
  );
  return (
    <Dialog title={t(collects ? "link.form.inbound" : "link.form.title")} onClose={close} footer={footer}>
      {made ? (
        <Made {...made} />
      ) : (
        <form ref={form} id={FORM} onSubmit={state.submit} noValidate className="grid gap-4">
          <Items items={items} />
          <LinkFields {...state} link={undefined} mayUpload={mayUpload} />
        </form>
      )}
      <Unsaved touched={state.touched && !made} />
      {discarding && <DiscardDialog onDiscard={onClose} onClose={() => setDiscarding(false)} />}
    </Dialog>
  );
}

/** Names that are told before the rest is counted. */
const NAMED = 3;

function Items({ items }: Pick<LinkDialogProps, "items">) {
  useLanguage();
  const named = items.slice(0, NAMED);
  const more = items.length - named.length;
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere font-medium">
        {named.map(({ name, item }, index) => (
          <span key={JSON.stringify(item)}>
            {index > 0 && " · "}
            <bdi>{shownName(name)}</bdi>
          </span>
        ))}
        {more > 0 && ` ${t("link.form.others", { count: more })}`}
      </p>
      <p className="text-[13px] text-muted">{t("link.form.text")}</p>
    </div>
  );
}

interface MadeProps {
  readonly link: LinkRecord;
  readonly copied: boolean;
}

function Made({ link: made, copied }: MadeProps) {
  useLanguage();
  const [qr, setQr] = useState(false);
  const { slug } = made;
  const link = linkPage(made);
  return (
    <div className="grid gap-3">
      <p role="status" className="font-medium text-ok">
        {copied ? t("link.result.copied") : t("link.result.made")}
      </p>
      <p className="wrap-anywhere rounded-lg bg-sunken px-3 py-2 font-mono text-sm">{link}</p>
      {made.rights.join() === "upload" && <Collecting link={made} />}
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={link} label={t("link.result.copy")} />
        <a href={link} target="_blank" rel="noopener" className={buttonClasses("quiet")}>
          {t("link.result.open")}
        </a>
        <LinkQr label={t("link.result.qr")} link={link} name={slug} open={qr} onOpenChange={setQr} />
      </div>
      <LinkConnect link={made} />
    </div>
  );
}

/** What a link does by which others send files, so that nobody has to look into its form. */
function Collecting({ link: { ask_name, sender_folders, expires_at } }: Pick<MadeProps, "link">) {
  const language = useLanguage();
  return (
    <div className="grid gap-1 text-[13px] text-muted">
      <p>{t("link.result.collects")}</p>
      <FactLine>
        {ask_name ? t("link.form.askName") : null}
        {sender_folders ? t("link.form.senderFolders") : null}
        {expires_at === null ? null : t("link.result.until", { time: dateTime(expires_at, language) })}
      </FactLine>
      <p>
        <Link to="/admin/link-management" className="text-accent hover:underline">
          {t("link.own.manage")}
        </Link>
      </p>
    </div>
  );
}
