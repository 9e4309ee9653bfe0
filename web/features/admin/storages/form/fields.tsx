import { MAX_BUCKET_CHARACTERS, MAX_STORAGE_NAME_CHARACTERS } from "#contract/limits";
import { BUILT_IN, providerNames } from "#contract/providers";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Choices } from "../../../../ui/choices.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { providerName } from "../../../../ui/provider-name.ts";
import { FormTextField } from "../../resource/form-fields.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import { onBuiltIn, withProvider } from "./form-values.ts";
import type { FieldsProps } from "./problems.ts";
import { UseFields } from "./use-fields.tsx";

/** The fields of a storage: where it is, then how it is used. What the built-in disk has no use for is not shown for it. */
export function StorageFields(props: FieldsProps) {
  useLanguage();
  const builtIn = onBuiltIn(props.values);
  return (
    <>
      <ProviderField {...props} />
      <FormTextField form={props} name="name" label={t("storage.form.name")} maxLength={MAX_STORAGE_NAME_CHARACTERS} />
      <BucketField {...props} />
      {builtIn ? null : <ConnectionFields {...props} />}
      <UseFields {...props} />
    </>
  );
}

/** The providers that a storage of provider `before` may change to; only a new one can be the built-in disk. */
function choicesOf(before: string | undefined): readonly string[] {
  if (before === undefined) return providerNames;
  return [...new Set([...providerNames, before])].filter((name) => name !== BUILT_IN);
}

/** What stands behind the storage; the built-in disk stays what it is. */
function ProviderField({ values, fill, storage }: FieldsProps) {
  if (storage && onBuiltIn(values)) return <Notice tone="plain">{t("storage.form.builtIn")}</Notice>;
  const choices = choicesOf(storage?.provider_type);
  return (
    <Choices
      legend={t("storage.form.provider")}
      choices={choices.map((value) => ({ value, label: providerName(value) }))}
      value={values.provider}
      onChoose={(provider) => fill(withProvider(values, provider))}
      className="grid grid-cols-2 gap-1.5 sm:grid-cols-3"
    />
  );
}

function BucketField(props: FieldsProps) {
  const { values, problems, storage } = props;
  const builtIn = onBuiltIn(values);
  const hint = storage ? t("storage.form.folderFixed") : t("storage.form.folderNameHint");
  const refusal =
    problems.bucket === "storage.problem.bucket" && builtIn ? "storage.problem.folderName" : problems.bucket;
  return (
    <FormTextField
      form={props}
      name="bucket"
      exact
      label={t(builtIn ? "storage.form.folderName" : "storage.form.bucket")}
      maxLength={MAX_BUCKET_CHARACTERS}
      readOnly={builtIn && storage !== undefined}
      className={builtIn && storage ? "bg-sunken text-muted" : ""}
      hint={builtIn ? hint : undefined}
      error={refusal && t(refusal)}
    />
  );
}
