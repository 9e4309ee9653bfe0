import { MAX_BUCKET_CHARACTERS, MAX_STORAGE_NAME_CHARACTERS } from "#contract/limits";
import { BUILT_IN, providerNames } from "#contract/providers";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Choices } from "../../../../ui/choices.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { providerName } from "../../../../ui/provider-name.ts";
import { ConnectionFields } from "./connection-fields.tsx";
import { onBuiltIn, withProvider } from "./filled.ts";
import { UseFields } from "./use-fields.tsx";
import type { FieldsProps } from "./use-storage-form.ts";

/** The fields of a storage: where it is, then how it is used. What the built-in disk has no use for is not shown for it. */
export function StorageFields(props: FieldsProps) {
  useLanguage();
  const { filled, fill, problems } = props;
  const builtIn = onBuiltIn(filled);
  return (
    <>
      <ProviderField {...props} />
      <TextField
        label={t("storage.form.name")}
        value={filled.name}
        maxLength={MAX_STORAGE_NAME_CHARACTERS}
        autoComplete="off"
        error={problems.name && t(problems.name)}
        onChange={(event) => fill({ name: event.target.value })}
      />
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
function ProviderField({ filled, fill, storage }: FieldsProps) {
  if (storage && onBuiltIn(filled)) return <Notice tone="plain">{t("storage.form.builtIn")}</Notice>;
  const choices = choicesOf(storage?.provider_type);
  return (
    <Choices
      legend={t("storage.form.provider")}
      choices={choices.map((value) => ({ value, label: providerName(value) }))}
      value={filled.provider}
      onChoose={(provider) => fill(withProvider(filled, provider))}
      className="grid grid-cols-2 gap-1.5 sm:grid-cols-3"
    />
  );
}

function BucketField({ filled, fill, problems, storage }: FieldsProps) {
  const builtIn = onBuiltIn(filled);
  const hint = storage ? t("storage.form.folderFixed") : t("storage.form.folderNameHint");
  const refusal =
    problems.bucket === "storage.problem.bucket" && builtIn ? "storage.problem.folderName" : problems.bucket;
  return (
    <TextField
      label={t(builtIn ? "storage.form.folderName" : "storage.form.bucket")}
      mono
      value={filled.bucket}
      maxLength={MAX_BUCKET_CHARACTERS}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      readOnly={builtIn && storage !== undefined}
      className={builtIn && storage ? "bg-sunken text-muted" : ""}
      hint={builtIn ? hint : undefined}
      error={refusal && t(refusal)}
      onChange={(event) => fill({ bucket: event.target.value })}
    />
  );
}
