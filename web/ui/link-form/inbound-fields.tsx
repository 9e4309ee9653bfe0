import { MAX_LINK_KINDS } from "#contract/limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Checkbox, TextField } from "../field.tsx";
import { type LinkFieldsProps, wrongKind } from "./values.ts";

type Field = Pick<LinkFieldsProps, "values" | "fill" | "problems" | "link">;

/** How much a link takes from others, of what, and what it asks them: in sight as soon as it takes something. */
export function InboundFields(props: Field) {
  useLanguage();
  const { values, fill } = props;
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-lg border border-line p-3">
      <legend className="px-1 font-medium text-sm">{t("link.form.inbound")}</legend>
      <p className="text-[13px] text-muted">{t("link.form.inboundHint")}</p>
      <Limits {...props} />
      <div className="grid">
        <Checkbox
          label={t("link.form.askName")}
          checked={values.askName}
          onChange={({ target }) => fill({ askName: target.checked })}
        />
        <Checkbox
          label={t("link.form.askMessage")}
          checked={values.askMessage}
          onChange={({ target }) => fill({ askMessage: target.checked })}
        />
        <Checkbox
          label={t("link.form.senderFolders")}
          checked={values.senderFolders}
          onChange={({ target }) => fill({ senderFolders: target.checked })}
        />
      </div>
    </fieldset>
  );
}

function Limits({ values, fill, problems, link }: Field) {
  useLanguage();
  const kindsError = problems.kinds && t(problems.kinds, { kind: wrongKind(values) ?? "", most: MAX_LINK_KINDS });
  return (
    <>
      <TextField
        label={t("link.form.maxFiles")}
        inputMode="numeric"
        value={values.maxFiles}
        hint={link ? t("link.form.maxFilesSoFar", { count: link.files }) : t("link.form.maxFilesHint")}
        error={problems.maxFiles && t(problems.maxFiles)}
        onChange={({ target }) => fill({ maxFiles: target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t("link.form.maxFileBytes")}
          inputMode="decimal"
          value={values.maxFileBytes}
          hint={t("link.form.sizeHint")}
          error={problems.maxFileBytes && t(problems.maxFileBytes)}
          onChange={({ target }) => fill({ maxFileBytes: target.value })}
        />
        <TextField
          label={t("link.form.maxBytes")}
          inputMode="decimal"
          value={values.maxBytes}
          hint={t("link.form.sizeHint")}
          error={problems.maxBytes && t(problems.maxBytes)}
          onChange={({ target }) => fill({ maxBytes: target.value })}
        />
      </div>
      <TextField
        label={t("link.form.kinds")}
        value={values.kinds}
        autoCapitalize="none"
        spellCheck={false}
        hint={t("link.form.kindsHint")}
        error={kindsError}
        onChange={({ target }) => fill({ kinds: target.value })}
      />
    </>
  );
}
