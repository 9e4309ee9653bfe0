import { useEffect, useRef, useState } from "react";
import type { LinkRecord } from "#contract/links";
import { nameOf } from "#contract/paths";
import { useCreateLink, useRemoveLinks } from "../../api/links.ts";
import { linkPage } from "../../api/share-addresses.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { copyText } from "../../lib/clipboard.ts";
import { bare } from "../../lib/folder-path.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Button } from "../button.tsx";
import { Refused } from "../form/refused.tsx";
import { Notice } from "../notice.tsx";
import { Dialog } from "../overlay/dialog.tsx";
import { toast } from "../toast/toast.ts";
import { CollectingFacts, Made, type MadeProps } from "./made.tsx";
import { collectingLink } from "./values.ts";

interface CollectDialogProps {
  /** Into which others send. */
  readonly folder: string;
  readonly onClose: () => void;
}

/** Says what a link by which others send files opens to whom, makes it when that is wanted, and shows it. */
export function CollectDialog({ folder, onClose }: CollectDialogProps) {
  useLanguage();
  const { mutateAsync: create } = useCreateLink();
  const [wanted] = useState(() => collectingLink(folder, Date.now()));
  const [making, setMaking] = useState<Promise<LinkRecord>>();
  const [made, setMade] = useState<MadeProps>();
  const [refused, setRefused] = useState<unknown>();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const make = async () => {
    const creation = create(wanted);
    setMaking(creation);
    setRefused(undefined);
    try {
      const link = await creation;
      if (isHere.current) setMade({ link, copied: await copyText(linkPage(link)) });
    } catch (error) {
      setRefused(error);
    }
    setMaking(undefined);
  };
  const close = () => {
    if (making) void tellLater(making);
    onClose();
  };
  if (made) return <MadeDialog {...made} onClose={onClose} />;
  const footer = (
    <>
      {refused !== undefined && <Refused error={refused} className="w-full" />}
      <Button onClick={close}>{t("link.form.cancel")}</Button>
      <Button variant="primary" busy={making !== undefined} onClick={make} data-autofocus>
        {t("link.form.create")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("link.form.inbound")} onClose={close} footer={footer}>
      <div className="grid gap-2">
        <p className="wrap-anywhere">{t("link.collect.effect", { folder: shownName(nameOf(bare(folder))) })}</p>
        <CollectingFacts link={wanted} />
        <p className="text-[13px] text-muted">{t("link.collect.later")}</p>
      </div>
    </Dialog>
  );
}

/** The link that was made, which can be taken back here. */
function MadeDialog({ onClose, ...made }: MadeProps & Pick<CollectDialogProps, "onClose">) {
  useLanguage();
  const { mutateAsync: remove, isPending } = useRemoveLinks();
  const [kept, setKept] = useState<string>();
  const done = useRef<HTMLButtonElement>(null);
  // What had the focus has gone with the question.
  useEffect(() => done.current?.focus(), []);
  const undo = async () => {
    const [left] = await remove([made.link.id]);
    if (left) return setKept(left.error);
    onClose();
    await toast({ tone: "ok", text: t("link.collect.undone") });
  };
  const footer = (
    <>
      {kept !== undefined && (
        <Notice tone="error" className="w-full">
          {kept}
        </Notice>
      )}
      <Button variant="plain" busy={isPending} className="mr-auto" onClick={undo}>
        {t("link.collect.undo")}
      </Button>
      <Button ref={done} variant="primary" onClick={onClose} data-autofocus>
        {t("link.result.done")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("link.form.inbound")} onClose={onClose} footer={footer}>
      <Made {...made} />
    </Dialog>
  );
}

/** Tells of a link that comes after its dialog was closed, as it is there then. */
async function tellLater(making: Promise<LinkRecord>): Promise<void> {
  const link = await making.catch(() => undefined);
  if (!link) return;
  const action = { label: t("link.result.copy"), run: () => void copyText(linkPage(link)) };
  await toast({ tone: "ok", text: t("link.result.made"), action });
}
