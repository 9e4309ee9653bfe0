import { MAX_BUCKET_CHARACTERS, MAX_STORAGE_NAME_CHARACTERS } from "#contract/limits";
import { FOLDER, isLocal, providerNames } from "#contract/providers";
import { useMachineFolders } from "../../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Choices } from "../../../../ui/form/choices.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { providerName } from "../../../../ui/provider-name.ts";
import { FormTextField } from "../../resource/form-fields.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import { onFolder, onServer, withProvider } from "./form-values.ts";
import type { FieldsProps } from "./problems.ts";
import { UseFields } from "./use-fields.tsx";

/** The fields of a storage: where it is, then how it is used. What the built-in disk has no use for is not shown for it. */
export function StorageFields(props: FieldsProps) {
  useLanguage();
  const isFolder = onFolder(props.values);
  return (
    <>
      <ProviderField {...props} />
      <FormTextField form={props} name="name" label={t("storage.form.name")} maxLength={MAX_STORAGE_NAME_CHARACTERS} />
      {isFolder && !props.storage ? <MachineFolderField {...props} /> : <BucketField {...props} />}
      {onServer(props.values) ? null : <ConnectionFields {...props} />}
      <UseFields {...props} />
    </>
  );
}

/** The providers that a storage of provider `before` may change to; only a new one can be on the server. */
function choicesOf(before: string | undefined): readonly string[] {
  if (before === undefined) return providerNames;
  return [...new Set([...providerNames, before])].filter((name) => !isLocal({ provider_type: name }));
}

/** What stands behind the storage; a disk of the server stays what it is. */
function ProviderField({ values, fill, storage }: FieldsProps) {
  if (storage && onServer(values))
    return <Notice tone="plain">{t(onFolder(values) ? "storage.form.onFolder" : "storage.form.builtIn")}</Notice>;
  const choices = choicesOf(storage?.provider_type);
  return (
    <Choices
      legend={t("storage.form.provider")}
      choices={choices.map((value) => ({ value, label: providerName(value) }))}
      value={values.provider}
      onChoose={(provider) =>
        fill({ ...withProvider(values, provider), ...(crosses(values.provider, provider) && { bucket: "" }) })
      }
      className="grid grid-cols-2 gap-1.5 sm:grid-cols-3"
    />
  );
}

/** What a folder is called is no name of a bucket, and the other way round. */
const crosses = (before: string, after: string): boolean => (before === FOLDER) !== (after === FOLDER);

/** The folders of the machine that the operator of the server named, and that no storage has. */
function MachineFolderField({ values, fill, problems }: FieldsProps) {
  const { data: folders } = useMachineFolders();
  if (!folders) return null;
  const free = folders.filter(({ used }) => !used);
  if (free.length === 0) return <Notice tone="plain">{t("storage.form.machineFolderNone")}</Notice>;
  return (
    <div>
      <Choices
        legend={t("storage.form.machineFolder")}
        choices={free.map(({ id, read_only: isReadOnly }) => ({
          value: id,
          label: isReadOnly ? t("storage.form.machineFolderReadOnly", { name: id }) : id,
        }))}
        value={values.bucket}
        onChoose={(bucket) => fill({ bucket })}
        className="grid grid-cols-2 gap-1.5 sm:grid-cols-3"
      />
      <p className="mt-1 text-muted text-sm">{t("storage.form.machineFolderHint")}</p>
      {problems.bucket && <p className="mt-1 text-danger text-sm">{t(problems.bucket)}</p>}
    </div>
  );
}

function BucketField(props: FieldsProps) {
  const { values, problems, storage } = props;
  const builtIn = onServer(values);
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
