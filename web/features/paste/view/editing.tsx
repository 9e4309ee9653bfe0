import { useState } from "react";
import type { WholePaste } from "#contract/pastes";
import { failureText, isSignedOut } from "../../../api/failure.ts";
import { useUpdatePaste } from "../../../api/pastes.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ShareFields } from "../../../ui/share-form/fields.tsx";
import { useShareForm } from "../../../ui/share-form/kind.ts";
import { textShare } from "../../../ui/share-form/text-share.tsx";
import { DiscardDialog, Unsaved } from "../../../ui/share-form/unsaved.tsx";
import { useArrival } from "../../../ui/share-gate/arrival.ts";
import { TextEditor } from "../editor/text-editor.tsx";
import { changedShare } from "./changed-share.ts";
import type { OpenPaste } from "./opening.ts";

interface EditingProps {
  readonly paste: WholePaste;
  readonly onSaved: (share: OpenPaste) => void;
  readonly onCancel: () => void;
}

/** The share's text and options in place of the page that shows them. */
export function Editing({ paste, onSaved, onCancel }: EditingProps) {
  useLanguage();
  const heading = useArrival("opened");
  const [discarding, setDiscarding] = useState(false);
  const { mutateAsync: update } = useUpdatePaste();
  const { form, filled, fill, problems, touched, busy, refused, submit } = useShareForm(textShare, {
    share: paste,
    save: async (change) => onSaved(changedShare(paste, change, (await update({ id: paste.id, change })).slug)),
    onUnchanged: onCancel,
  });

  return (
    <form
      ref={form}
      onSubmit={submit}
      noValidate
      className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-4 sm:p-4 lg:flex-row"
    >
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        {t("paste.edit.heading")}
      </h1>
      <div className="flex h-[60dvh] min-h-80 min-w-0 flex-1 flex-col overflow-hidden border-line bg-raised max-sm:border-b sm:rounded-xl sm:border lg:h-[calc(100dvh-138px)]">
        <TextEditor
          value={filled.content}
          onChange={(content) => fill({ content })}
          label={t("paste.home.editorLabel")}
          placeholder={t("paste.home.placeholder")}
        />
      </div>
      <div className="grid content-start gap-4 px-4 pb-4 sm:px-0 lg:w-72">
        <ShareFields share={paste} filled={filled} problems={problems} onFill={fill} />
        {problems.content ? <Notice tone="error">{t(problems.content)}</Notice> : null}
        {refused !== undefined ? <Refused error={refused} /> : null}
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={busy} className="flex-1">
            {busy ? t("share.form.saving") : t("share.form.save")}
          </Button>
          <Button onClick={touched ? () => setDiscarding(true) : onCancel}>{t("share.form.cancel")}</Button>
        </div>
      </div>
      <Unsaved touched={touched} />
      {discarding && <DiscardDialog onDiscard={onCancel} onClose={() => setDiscarding(false)} />}
    </form>
  );
}

/** A session that ended is begun anew in another tab, so that what was changed stays here. */
function Refused({ error }: { readonly error: unknown }) {
  if (!isSignedOut(error)) return <Notice tone="error">{failureText(error)}</Notice>;
  const signIn = (
    <ButtonLink to="/admin" target="_blank">
      {t("share.form.signIn")}
    </ButtonLink>
  );
  return (
    <Notice tone="error" action={signIn}>
      {t("share.form.signedOut")}
    </Notice>
  );
}
