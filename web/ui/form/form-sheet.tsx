import { type ReactNode, type RefObject, type SyntheticEvent, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { Sheet } from "../overlay/dialog.tsx";
import { DiscardDialog, Unsaved } from "./unsaved.tsx";

interface FormSheetProps {
  readonly title: string;
  /** What the sheet needs of the form: its element, whether something was changed, and whether it is being sent. */
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

const FORM = "sheet-form";

/** The sheet around the form at the side of a page; it asks before changes are thrown away. */
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
