import { MAX_LINK_KINDS } from "#contract/limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Checkbox, TextField } from "../form/field.tsx";
import { type LinkFieldsProps, wrongKind } from "./values.ts";

type Field = Pick<LinkFieldsProps, "values" | "fill" | "problems" | "link">;

const asked = ["askName", "askMessage", "senderFolders"] as const;
const sizes = ["maxFileBytes", "maxBytes"] as const;

/** How much a link takes from others, of what, and what it asks them: in sight as soon as it takes something. */
export function InboundFields(props: Field) {
  useLanguage();
  const { values, fill } = props;
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-lg border border-line p-3">
      <legend className="px-1 font-medium text-sm">{t("link.form.inbound")}</legend>
      <p className="text-[13px] text-muted">{t("link.form.inboundHint")}</p>
      <Limits {...props} />
      {/* Whoever looks at a link is asked nothing, and their files have a place there already. */}
      {!values.view && (
        <div className="grid">
          {asked.map((name) => (
            <Checkbox
              key={name}
              label={t(`link.form.${name}`)}
              checked={values[name]}
              onChange={({ target }) => fill({ [name]: target.checked })}
            />
          ))}
        </div>
      )}
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
        {sizes.map((name) => {
          const problem = problems[name];
          return (
            <TextField
              key={name}
              label={t(`link.form.${name}`)}
              inputMode="decimal"
              value={values[name]}
              hint={t("link.form.sizeHint")}
              error={problem && t(problem)}
              onChange={({ target }) => fill({ [name]: target.value })}
            />
          );
        })}
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
