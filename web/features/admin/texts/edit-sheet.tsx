import { type SyntheticEvent, useState } from "react";
import { MAX_PASSWORD_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_SLUG_CHARACTERS } from "#contract/limits";
import type { WholePaste } from "#contract/pastes";
import { failureText } from "../../../api/failure.ts";
import { usePaste, useUpdatePaste } from "../../../api/pastes.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog, Sheet } from "../../../ui/dialog.tsx";
import { Checkbox, TextArea, TextField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/surface.tsx";
import { changeOf, type Draft, draftOf, type Problems, problemsIn, problemsOf } from "./change.ts";

interface EditSheetProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Edits one text at the side of the list. */
export function EditSheet({ id, onClose, onSaved }: EditSheetProps) {
  useLanguage();
  const { data: text, error, refetch } = usePaste(id);
  if (text) return <EditForm text={text} onClose={onClose} onSaved={onSaved} />;
  return (
    <Sheet title={t("admin.edit.title")} onClose={onClose}>
      {error ? (
        <Notice tone="error" action={<Button onClick={() => refetch()}>{t("shell.actions.retry")}</Button>}>
          {t("admin.edit.failedTitle")} {failureText(error)}
        </Notice>
      ) : (
        <div className="grid gap-5">
          <Skeleton className="h-9" />
          <Skeleton className="h-56" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      )}
    </Sheet>
  );
}

interface EditFormProps extends Omit<EditSheetProps, "id"> {
  readonly text: WholePaste;
}

const FORM = "edit-text";

function EditForm({ text, onClose, onSaved }: EditFormProps) {
  useLanguage();
  const update = useUpdatePaste();
  const [draft, setDraft] = useState<Draft>(() => draftOf(text));
  const [problems, setProblems] = useState<Problems>({});
  const [discarding, setDiscarding] = useState(false);
  const change = changeOf(draft, text);
  const dirty = Object.keys(change).length > 0;
  const close = () => (dirty ? setDiscarding(true) : onClose());

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const found = problemsIn(draft, text, Date.now());
    setProblems(found);
    if (Object.keys(found).length > 0 || update.isPending) return;
    if (!dirty) return onClose();
    try {
      await update.mutateAsync({ id: text.id, change });
      onSaved();
    } catch (error) {
      setProblems(problemsOf(error));
    }
  };

  const footer = (
    <>
      <Button onClick={close}>{t("shell.actions.cancel")}</Button>
      <Button type="submit" form={FORM} variant="primary" busy={update.isPending}>
        {update.isPending ? t("admin.edit.saving") : t("admin.edit.save")}
      </Button>
    </>
  );
  const elsewhere = update.error && Object.keys(problems).length === 0;
  return (
    <Sheet title={t("admin.edit.title")} onClose={close} footer={footer}>
      <form id={FORM} onSubmit={submit} noValidate className="grid gap-5">
        <Fields text={text} draft={draft} problems={problems} onChange={(part) => setDraft({ ...draft, ...part })} />
        {elsewhere && <Notice tone="error">{failureText(update.error)}</Notice>}
      </form>
      {discarding && (
        <ConfirmDialog
          title={t("admin.edit.discardTitle")}
          text={t("admin.edit.discardText")}
          confirm={t("admin.edit.discard")}
          danger
          onConfirm={async () => onClose()}
          onClose={() => setDiscarding(false)}
        />
      )}
    </Sheet>
  );
}

interface FieldsProps {
  readonly text: WholePaste;
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (part: Partial<Draft>) => void;
}

function Fields({ text, draft, problems, onChange }: FieldsProps) {
  const said = (field: keyof Draft) => {
    const problem = problems[field];
    return problem && t(problem);
  };
  return (
    <>
      <TextField
        label={t("admin.edit.slug")}
        mono
        value={draft.slug}
        maxLength={MAX_SLUG_CHARACTERS}
        autoCapitalize="none"
        spellCheck={false}
        hint={t("admin.edit.slugHint")}
        error={said("slug")}
        onChange={(event) => onChange({ slug: event.target.value })}
      />
      <TextArea
        label={t("admin.edit.content")}
        mono
        rows={12}
        value={draft.content}
        error={said("content")}
        onChange={(event) => onChange({ content: event.target.value })}
      />
      <TextField
        label={t("admin.edit.remark")}
        value={draft.remark}
        maxLength={MAX_REMARK_CHARACTERS}
        error={said("remark")}
        onChange={(event) => onChange({ remark: event.target.value })}
      />
      <TextField
        label={t("admin.edit.expiry")}
        type="datetime-local"
        value={draft.expiry}
        hint={t("admin.edit.expiryHint")}
        error={said("expiry")}
        onChange={(event) => onChange({ expiry: event.target.value })}
      />
      <TextField
        label={t("admin.edit.maxViews")}
        inputMode="numeric"
        value={draft.maxViews}
        hint={t("admin.edit.maxViewsHint", { views: text.views })}
        error={said("maxViews")}
        onChange={(event) => onChange({ maxViews: event.target.value.trim() })}
      />
      {text.views > 0 && (
        <Checkbox
          label={t("admin.edit.resetViews")}
          className="-mt-3"
          checked={draft.resetViews}
          onChange={(event) => onChange({ resetViews: event.target.checked })}
        />
      )}
      <TextField
        label={t("admin.edit.password")}
        type="password"
        autoComplete="new-password"
        value={draft.password}
        maxLength={MAX_PASSWORD_CHARACTERS}
        disabled={draft.clearPassword}
        hint={text.has_password ? t("admin.edit.passwordKeep") : t("admin.edit.passwordNone")}
        error={said("password")}
        onChange={(event) => onChange({ password: event.target.value })}
      />
      {text.has_password && (
        <Checkbox
          label={t("admin.edit.clearPassword")}
          className="-mt-3"
          checked={draft.clearPassword}
          onChange={(event) => onChange({ clearPassword: event.target.checked })}
        />
      )}
    </>
  );
}
