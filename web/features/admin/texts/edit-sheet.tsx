import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import type { WholePaste } from "#contract/pastes";
import { failureText } from "../../../api/failure.ts";
import { useUpdatePaste } from "../../../api/pastes.ts";
import { usePaste } from "../../../api/whole-paste.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { usePasteForm } from "../../../ui/paste-form/use-paste-form.ts";
import { EditSheet, FormSheet } from "../../../ui/share-form/edit-sheet.tsx";
import { ShareFields } from "../../../ui/share-form/fields.tsx";
import { refusalText } from "../list/refusal.ts";

interface EditTextProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Edits one text at the side of the list. */
export function EditText({ id, onClose }: EditTextProps) {
  useLanguage();
  const { data, error, refetch } = usePaste(id);
  const failure = error ? failureText(error) : undefined;
  return (
    <EditSheet title={t("admin.texts.editTitle")} share={data} failure={failure} onRetry={refetch} onClose={onClose}>
      {(text) => <TextForm text={text} onClose={onClose} />}
    </EditSheet>
  );
}

interface TextFormProps {
  readonly text: WholePaste;
  readonly onClose: () => void;
}

function TextForm({ text, onClose }: TextFormProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdatePaste();
  const state = usePasteForm({
    paste: text,
    save: async (change) => {
      await update({ id: text.id, change });
      onClose();
    },
    onUnchanged: onClose,
  });
  const { filled, fill, problems } = state;
  return (
    <FormSheet title={t("admin.texts.editTitle")} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      {text.content.length > RICH_TEXT_CHARACTERS ? (
        <LongText slug={text.slug} />
      ) : (
        <TextArea
          label={t("admin.texts.content")}
          mono
          rows={12}
          value={filled.content}
          error={problems.content && t(problems.content)}
          onChange={(event) => fill({ content: event.target.value })}
        />
      )}
      <ShareFields share={text} filled={filled} problems={problems} onFill={fill} />
    </FormSheet>
  );
}

/** In place of a text area, in which ten megabytes would hold up the browser for many seconds. */
const LongText = ({ slug }: { readonly slug: string }) => (
  <Notice tone="plain" action={<ButtonLink to={`/paste/${slug}?edit`}>{t("admin.texts.longOpen")}</ButtonLink>}>
    {t("admin.texts.long")}
  </Notice>
);
