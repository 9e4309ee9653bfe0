import { useEffect, useRef, useState } from "react";
import type { NewLinkItem } from "#contract/links";
import { useCreateLink } from "../../api/links.ts";
import { linkPage } from "../../api/share-addresses.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { copyText } from "../../lib/clipboard.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Button } from "../button.tsx";
import { Refused } from "../form/refused.tsx";
import { DiscardDialog, Unsaved } from "../form/unsaved.tsx";
import { useForm } from "../form/use-form.ts";
import { Dialog } from "../overlay/dialog.tsx";
import { LinkFields } from "./fields.tsx";
import { Made, type MadeProps } from "./made.tsx";
import { type LinkProblems, linkProblems, newLinkOf, newLinkValues, usualExpiry } from "./values.ts";

/** Something that a link is to lead to. */
interface LinkedThing {
  readonly name: string;
  readonly item: NewLinkItem;
  readonly isDirectory?: boolean;
}

interface LinkDialogProps {
  readonly items: readonly LinkedThing[];
  /** What is said of those that are left out. */
  readonly omitted?: string | undefined;
  /** Whether whoever makes the link may upload; into shared texts and files nobody does. */
  readonly mayUpload?: boolean;
  readonly onClose: () => void;
}

const FORM = "new-link";

/** Makes a link to files, folders and texts, and shows it. It is copied at once. */
export function LinkDialog({ items, omitted, mayUpload = false, onClose }: LinkDialogProps) {
  useLanguage();
  const hasFolder = items.some(({ isDirectory }) => isDirectory);
  const [before] = useState(() => ({ ...newLinkValues, ...usualExpiry(Date.now()) }));
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
    problemsIn: (values) => linkProblems(values, before, Date.now()),
    refusable: ["slug", "expiry"],
    save: async (body) => {
      const link = await create(body);
      setMade({ link, copied: await copyText(linkPage(link)) });
    },
    onUnchanged: onClose,
  });
  const done = useRef<HTMLButtonElement>(null);
  // What had the focus has gone with the form.
  useEffect(() => {
    if (made) done.current?.focus();
  }, [made]);
  const close = () => (state.touched && !made ? setDiscarding(true) : onClose());
  const footer = made ? (
    <Button ref={done} variant="primary" onClick={onClose} data-autofocus>
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
    <Dialog title={t("link.form.title")} onClose={close} footer={footer}>
      {made ? (
        <Made {...made} />
      ) : (
        <form ref={state.form} id={FORM} onSubmit={state.submit} noValidate className="grid gap-4">
          <Items items={items} omitted={omitted} hasFolder={hasFolder} />
          <LinkFields {...state} link={undefined} mayUpload={mayUpload && hasFolder} />
        </form>
      )}
      <Unsaved touched={state.touched && !made} />
      {discarding && <DiscardDialog onDiscard={onClose} onClose={() => setDiscarding(false)} />}
    </Dialog>
  );
}

/** Names that are told before the rest is counted. */
const NAMED = 3;

interface ItemsProps extends Pick<LinkDialogProps, "items" | "omitted"> {
  readonly hasFolder: boolean;
}

function Items({ items, omitted, hasFolder }: ItemsProps) {
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
      {omitted && <p className="text-[13px]">{omitted}</p>}
      <p className="text-[13px] text-muted">
        {t("link.form.text")} {hasFolder && t("link.form.foldersText")}
      </p>
    </div>
  );
}
