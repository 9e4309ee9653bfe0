import { MAX_CONTENT_BYTES, RICH_TEXT_CHARACTERS } from "#contract/limits";
import type { PasteChange, WholePaste } from "#contract/pastes";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { isLongerThan } from "../../lib/bytes.ts";
import { ButtonLink } from "../button.tsx";
import { TextArea } from "../form/field.tsx";
import { Notice } from "../notice.tsx";
import { type ShareValues, shareChange, shareValues } from "./form-values.ts";
import type { FieldsProps, ShareKind } from "./kind.ts";

interface TextValues extends ShareValues {
  readonly content: string;
  readonly plain: boolean;
}

/** A shared text: the words are those of the dictionary's parts `share` and `paste`. */
export const textShare: ShareKind<WholePaste, TextValues, PasteChange> = {
  valuesFrom: (paste) => ({ content: paste.content, plain: paste.plain, ...shareValues(paste) }),
  // An untouched text leaves its ten megabytes at home; another one may not fall on what somebody else has written since.
  changeOf(values, paste) {
    const { slug, ...change } = shareChange(values, paste);
    return {
      ...(values.content === paste.content ? {} : { content: values.content, version: paste.version }),
      ...(values.plain === paste.plain ? {} : { plain: values.plain }),
      ...change,
      ...(slug === undefined ? {} : { newSlug: slug }),
    };
  },
  problemsIn({ content }) {
    if (content.trim() === "") return { content: "paste.edit.contentEmpty" };
    return isLongerThan(content, MAX_CONTENT_BYTES) ? { content: "paste.edit.contentTooLarge" } : {};
  },
  refusable: ["content"],
  Before: Content,
};

/** The text itself; one in which a text area would hold up the browser for many seconds is changed on its own page. */
function Content({ share, values, problems, onFill }: FieldsProps<WholePaste, TextValues>) {
  useLanguage();
  if (share.content.length > RICH_TEXT_CHARACTERS) {
    const open = <ButtonLink to={`/paste/${share.slug}?edit`}>{t("paste.edit.longOpen")}</ButtonLink>;
    return (
      <Notice tone="plain" action={open}>
        {t("paste.edit.long")}
      </Notice>
    );
  }
  return (
    <TextArea
      label={t("paste.edit.content")}
      mono
      rows={12}
      value={values.content}
      error={problems.content && t(problems.content)}
      onChange={(event) => onFill({ content: event.target.value })}
    />
  );
}
