import { type FormEvent, useState } from "react";
import { MAX_PASSWORD_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_SLUG_CHARACTERS } from "#contract/limits";
import type { WholePaste } from "#contract/pastes";
import { failureText, isFailure } from "../../../api/failure.ts";
import { useUpdatePaste } from "../../../api/pastes.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Checkbox, TextField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TextEditor } from "../editor/text-editor.tsx";
import { changedShare, changeOf, type FieldProblems, type Filled, filledFrom, problemsIn } from "./change.ts";
import type { OpenPaste } from "./opening.ts";

interface EditingProps {
  readonly paste: WholePaste;
  readonly onSaved: (share: OpenPaste) => void;
  readonly onCancel: () => void;
}

/** The share's text and options in place of the page that shows them. */
export function Editing({ paste, onSaved, onCancel }: EditingProps) {
  useLanguage();
  const [filled, setFilled] = useState(() => filledFrom(paste));
  const [refused, setRefused] = useState<unknown>();
  const [discarding, setDiscarding] = useState(false);
  const update = useUpdatePaste();
  const taken = isFailure(refused, "slug.taken") || isFailure(refused, "slug.reserved") ? refused.message : undefined;
  const problems = { ...problemsIn(filled, paste, Date.now()), ...(taken ? { slug: taken } : {}) };
  const empty = filled.content.trim() === "";
  const untouched = Object.keys(changeOf(filled, paste)).length === 0;

  const fill = (part: Partial<Filled>) => {
    setFilled((before) => ({ ...before, ...part }));
    setRefused(undefined);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (update.isPending || empty || Object.keys(problemsIn(filled, paste, Date.now())).length > 0) return;
    const change = changeOf(filled, paste);
    try {
      const { slug } = await update.mutateAsync({ id: paste.id, change });
      onSaved(changedShare(paste, change, slug));
    } catch (error) {
      setRefused(error);
    }
  };

  return (
    <form onSubmit={save} className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-4 sm:p-4 lg:flex-row">
      <h1 className="sr-only">{t("paste.edit.heading")}</h1>
      <div className="flex h-[60dvh] min-h-80 min-w-0 flex-1 flex-col overflow-hidden border-line bg-raised max-sm:border-b sm:rounded-xl sm:border lg:h-[calc(100dvh-138px)]">
        <TextEditor
          value={filled.content}
          onChange={(content) => fill({ content })}
          label={t("paste.home.editorLabel")}
          placeholder={t("paste.home.placeholder")}
        />
      </div>
      <div className="grid content-start gap-4 px-4 pb-4 sm:px-0 lg:w-72">
        <EditFields filled={filled} paste={paste} problems={problems} onFill={fill} />
        {refused !== undefined && !taken ? <Notice tone="error">{failureText(refused)}</Notice> : null}
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={update.isPending} disabled={empty} className="flex-1">
            {update.isPending ? t("paste.edit.saving") : t("paste.edit.save")}
          </Button>
          <Button onClick={untouched ? onCancel : () => setDiscarding(true)}>{t("paste.edit.cancel")}</Button>
        </div>
      </div>
      {discarding && (
        <ConfirmDialog
          danger
          title={t("paste.edit.discardTitle")}
          text={t("paste.edit.discardText")}
          confirm={t("paste.edit.discard")}
          onConfirm={async () => onCancel()}
          onClose={() => setDiscarding(false)}
        />
      )}
    </form>
  );
}

interface EditFieldsProps {
  readonly filled: Filled;
  readonly paste: WholePaste;
  readonly problems: FieldProblems;
  readonly onFill: (part: Partial<Filled>) => void;
}

function EditFields({ filled, paste, problems, onFill }: EditFieldsProps) {
  return (
    <>
      <TextField
        label={t("paste.edit.remark")}
        value={filled.remark}
        maxLength={MAX_REMARK_CHARACTERS}
        onChange={(event) => onFill({ remark: event.target.value })}
      />
      <TextField
        label={t("paste.edit.slug")}
        hint={t("paste.edit.slugHint")}
        error={problems.slug}
        mono
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MAX_SLUG_CHARACTERS}
        value={filled.slug}
        onChange={(event) => onFill({ slug: event.target.value })}
      />
      <TextField
        type="datetime-local"
        label={t("paste.edit.expiry")}
        hint={t("paste.edit.expiryHint")}
        error={problems.expiry}
        value={filled.expiry}
        onChange={(event) => onFill({ expiry: event.target.value })}
      />
      <div>
        <TextField
          inputMode="numeric"
          label={t("paste.edit.views")}
          hint={t("paste.edit.viewsHint", { count: paste.views })}
          error={problems.views}
          value={filled.views}
          onChange={(event) => onFill({ views: event.target.value })}
        />
        <Checkbox
          label={t("paste.edit.resetViews")}
          checked={filled.resetViews}
          onChange={(event) => onFill({ resetViews: event.target.checked })}
        />
      </div>
      <div>
        <TextField
          type="password"
          label={t("paste.edit.password")}
          hint={paste.has_password ? t("paste.edit.passwordKeep") : t("paste.edit.passwordNone")}
          disabled={filled.clearPassword}
          autoComplete="new-password"
          maxLength={MAX_PASSWORD_CHARACTERS}
          value={filled.password}
          onChange={(event) => onFill({ password: event.target.value })}
        />
        {paste.has_password ? (
          <Checkbox
            label={t("paste.edit.clearPassword")}
            checked={filled.clearPassword}
            onChange={(event) => onFill({ clearPassword: event.target.checked })}
          />
        ) : null}
      </div>
    </>
  );
}
