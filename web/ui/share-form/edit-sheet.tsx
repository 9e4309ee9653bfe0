import { type ReactNode, type RefObject, type SyntheticEvent, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../button.tsx";
import { Sheet } from "../dialog.tsx";
import { Notice } from "../notice.tsx";
import { Skeleton } from "../surface.tsx";
import { DiscardDialog, Unsaved } from "./unsaved.tsx";

interface EditSheetProps<Share> {
  readonly title: string;
  /** The share as its owner gets it, undefined until it is there. */
  readonly share: Share | undefined;
  /** Why it is not there. */
  readonly failure: string | undefined;
  readonly onRetry: () => unknown;
  readonly onClose: () => void;
  /** The form, once the share is there. */
  readonly children: (share: Share) => ReactNode;
}

/** Waits for a share at the side of the page, until the form that changes it can take its place. */
export function EditSheet<Share>({ title, share, failure, onRetry, onClose, children }: EditSheetProps<Share>) {
  useLanguage();
  // Held here: when the session ends, what was asked for the owner is forgotten, and the form would go with it.
  const [held, hold] = useState<Share>();
  if (share !== undefined && held === undefined) hold(share);
  if (held !== undefined) return children(held);
  return (
    <Sheet title={title} onClose={onClose}>
      {failure === undefined ? (
        <div className="grid gap-5">
          <Skeleton className="h-56" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      ) : (
        <Notice tone="error" action={<Button onClick={onRetry}>{t("shell.actions.retry")}</Button>}>
          {failure}
        </Notice>
      )}
    </Sheet>
  );
}

interface FormSheetProps {
  readonly title: string;
  /** As useShareForm gives it. */
  readonly state: {
    readonly form: RefObject<HTMLFormElement | null>;
    readonly touched: boolean;
    readonly busy: boolean;
    readonly submit: (event: SyntheticEvent) => Promise<unknown>;
  };
  /** What the server refused that belongs to no field. */
  readonly refusal: string | undefined;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

const FORM = "edit-share";

/** The sheet around the form that changes a share; it asks before changes are thrown away. */
export function FormSheet({ title, state, refusal, onClose, children }: FormSheetProps) {
  useLanguage();
  const [discarding, setDiscarding] = useState(false);
  const { form, touched, busy, submit } = state;
  const close = () => (touched ? setDiscarding(true) : onClose());
  const footer = (
    <>
      {refusal !== undefined && (
        // Beside the button that was pressed: at the end of a long form nobody would see it.
        <Notice tone="error" className="w-full">
          {refusal}
        </Notice>
      )}
      <Button onClick={close}>{t("shell.actions.cancel")}</Button>
      <Button type="submit" form={FORM} variant="primary" busy={busy}>
        {busy ? t("share.form.saving") : t("share.form.save")}
      </Button>
    </>
  );
  return (
    <Sheet title={title} onClose={close} footer={footer}>
      <form ref={form} id={FORM} onSubmit={submit} noValidate className="grid gap-5">
        {children}
      </form>
      <Unsaved touched={touched} />
      {discarding && <DiscardDialog onDiscard={onClose} onClose={() => setDiscarding(false)} />}
    </Sheet>
  );
}
