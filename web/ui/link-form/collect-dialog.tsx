import { useEffect, useState } from "react";
import type { LinkRecord } from "#contract/links";
import { linkPage } from "../../api/links.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { copyText } from "../../lib/clipboard.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { Refused } from "../form/refused.tsx";
import { Skeleton } from "../surface.tsx";
import { toast } from "../toast.ts";
import { Made, type MadeProps } from "./made.tsx";

interface CollectDialogProps {
  /** The link that is being made. */
  readonly creation: Promise<LinkRecord>;
  /** Makes it when that failed. */
  readonly makeAgain: () => Promise<LinkRecord>;
  readonly onClose: () => void;
}

type Outcome = MadeProps | { readonly link?: undefined; readonly error: unknown };

/** Shows a link by which others send files, which is made as soon as it is asked for, and copied. */
export function CollectDialog({ creation, makeAgain, onClose }: CollectDialogProps) {
  useLanguage();
  const [making, setMaking] = useState(creation);
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    let isHere = true;
    const show = (one: Outcome) => isHere && setOutcome(one);
    making.then(
      async (link) => show({ link, copied: isHere && (await copyText(linkPage(link))) }),
      (error: unknown) => show({ error }),
    );
    return () => {
      isHere = false;
    };
  }, [making]);
  const close = () => {
    if (!outcome) void tellLater(making);
    onClose();
  };
  const again = () => {
    setOutcome(undefined);
    setMaking(makeAgain());
  };
  const footer = outcome?.link ? (
    <Button variant="primary" onClick={onClose} data-autofocus>
      {t("link.result.done")}
    </Button>
  ) : (
    <>
      {outcome && <Refused error={outcome.error} className="w-full" />}
      <Button onClick={close}>{t("link.form.cancel")}</Button>
      <Button variant="primary" busy={!outcome} onClick={again}>
        {t("link.form.create")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("link.form.inbound")} onClose={close} footer={footer}>
      {outcome?.link ? <Made {...outcome} /> : outcome ? null : <Skeleton className="h-32 w-full" />}
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
