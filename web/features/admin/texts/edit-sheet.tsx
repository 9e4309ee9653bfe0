import { useState } from "react";
import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import type { WholePaste } from "#contract/pastes";
import { failureText, isFailure } from "../../../api/failure.ts";
import { usePaste, useUpdatePaste } from "../../../api/pastes.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Sheet } from "../../../ui/dialog.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PasteFields } from "../../../ui/paste-form/fields.tsx";
import { DiscardDialog, Unsaved } from "../../../ui/paste-form/unsaved.tsx";
import { usePasteForm } from "../../../ui/paste-form/use-paste-form.ts";
import { Skeleton } from "../../../ui/surface.tsx";

interface EditSheetProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Edits one text at the side of the list. */
export function EditSheet({ id, onClose }: EditSheetProps) {
  useLanguage();
  const { data, error, refetch } = usePaste(id);
  // Held here: when the session ends, what was asked for the owner is forgotten, and the form would go with it.
  const [held, hold] = useState<WholePaste>();
  if (data && !held) hold(data);
  if (held) return <EditForm text={held} onClose={onClose} />;
  return (
    <Sheet title={t("admin.edit.title")} onClose={onClose}>
      {error ? (
        <Notice tone="error" action={<Button onClick={() => refetch()}>{t("shell.actions.retry")}</Button>}>
          {t("admin.edit.failedTitle")} {failureText(error)}
        </Notice>
      ) : (
        <div className="grid gap-5">
          <Skeleton className="h-56" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      )}
    </Sheet>
  );
}

interface EditFormProps {
  readonly text: WholePaste;
  readonly onClose: () => void;
}

const FORM = "edit-text";

function EditForm({ text, onClose }: EditFormProps) {
  useLanguage();
  const [discarding, setDiscarding] = useState(false);
  const { mutateAsync: update } = useUpdatePaste();
  const { form, filled, fill, problems, touched, busy, refused, submit } = usePasteForm({
    paste: text,
    save: async (change) => {
      await update({ id: text.id, change });
      onClose();
    },
    onUnchanged: onClose,
  });
  const close = () => (touched ? setDiscarding(true) : onClose());
  const footer = (
    <>
      <Button onClick={close}>{t("shell.actions.cancel")}</Button>
      <Button type="submit" form={FORM} variant="primary" busy={busy}>
        {busy ? t("paste.edit.saving") : t("paste.edit.save")}
      </Button>
    </>
  );
  // The sign-in card has said already that the session ended.
  const told = refused === undefined || isFailure(refused, "auth.expired") || isFailure(refused, "auth.required");
  return (
    <Sheet title={t("admin.edit.title")} onClose={close} footer={footer}>
      <form ref={form} id={FORM} onSubmit={submit} noValidate className="grid gap-5">
        {text.content.length > RICH_TEXT_CHARACTERS ? (
          <LongText slug={text.slug} />
        ) : (
          <TextArea
            label={t("admin.edit.content")}
            mono
            rows={12}
            value={filled.content}
            error={problems.content && t(problems.content)}
            onChange={(event) => fill({ content: event.target.value })}
          />
        )}
        <PasteFields paste={text} filled={filled} problems={problems} onFill={fill} />
        {told ? null : <Notice tone="error">{failureText(refused)}</Notice>}
      </form>
      <Unsaved touched={touched} />
      {discarding && <DiscardDialog onDiscard={onClose} onClose={() => setDiscarding(false)} />}
    </Sheet>
  );
}

/** In place of a text area, in which ten megabytes would hold up the browser for many seconds. */
const LongText = ({ slug }: { readonly slug: string }) => (
  <Notice tone="plain" action={<ButtonLink to={`/paste/${slug}?edit`}>{t("admin.edit.longOpen")}</ButtonLink>}>
    {t("admin.edit.long")}
  </Notice>
);
