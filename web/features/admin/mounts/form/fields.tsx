import { MAX_MOUNT_NAME_CHARACTERS, MAX_PATH_CHARACTERS, MAX_REMARK_CHARACTERS } from "#contract/limits";
import type { MountRecord } from "#contract/mounts";
import type { OfferedStorage } from "#contract/storage";
import { useMounts } from "../../../../api/mounts.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { ButtonLink } from "../../../../ui/button.tsx";
import { Choices } from "../../../../ui/form/choices.tsx";
import { TextArea } from "../../../../ui/form/field.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { providerName } from "../../../../ui/provider-name.ts";
import { FormCheckbox, FormTextField } from "../../resource/form-fields.tsx";
import { AccessFields } from "./access-fields.tsx";
import type { FieldsProps } from "./problems.ts";

interface MountFieldsProps extends FieldsProps {
  readonly storages: readonly OfferedStorage[];
  /** The mount itself, when it is there already. */
  readonly mount?: Pick<MountRecord, "id"> | undefined;
}

/** The fields of a mount: what is mounted where, then how it is handed out, then its place in lists. */
export function MountFields({ storages, mount, ...props }: MountFieldsProps) {
  useLanguage();
  const { values, fill } = props;
  return (
    <>
      <FormTextField form={props} name="name" label={t("mount.form.name")} maxLength={MAX_MOUNT_NAME_CHARACTERS} />
      <StorageField storages={storages} mount={mount} {...props} />
      <FormTextField
        form={props}
        name="path"
        exact
        label={t("mount.form.path")}
        maxLength={MAX_PATH_CHARACTERS}
        placeholder="/team/photos"
        hint={t("mount.form.pathHint")}
      />
      <TextArea
        label={t("mount.form.remark")}
        value={values.remark}
        maxLength={MAX_REMARK_CHARACTERS}
        onChange={(event) => fill({ remark: event.target.value })}
      />
      <AccessFields {...props} />
      <NumberFields {...props} />
      <FormCheckbox form={props} name="readme" className="justify-self-start" label={t("mount.form.readme")} />
      <div className="grid justify-items-start">
        <FormCheckbox form={props} name="trash" label={t("mount.form.trash")} />
        <p className="text-[13px] text-muted leading-snug">{t("mount.form.trashHint")}</p>
      </div>
      <FormCheckbox form={props} name="active" className="justify-self-start" label={t("mount.form.active")} />
    </>
  );
}

function StorageField({ storages, mount, values, fill, problems }: MountFieldsProps) {
  const { data: mounts = [] } = useMounts();
  const other = mounts.find(({ id, storage_config_id: storage }) => storage === values.storage && id !== mount?.id);
  if (storages.length === 0) {
    const add = <ButtonLink to="/admin/storage-config">{t("mount.form.addStorage")}</ButtonLink>;
    return (
      <Notice tone="plain" action={add}>
        {t("mount.form.noStorage")}
      </Notice>
    );
  }
  return (
    <div>
      <Choices
        legend={t("mount.form.storage")}
        choices={storages.map(({ id, name, provider_type: provider }) => ({
          value: id,
          label: `${name} · ${providerName(provider)}`,
        }))}
        value={values.storage}
        invalid={problems.storage !== undefined}
        onChoose={(storage) => fill({ storage })}
        className="wrap-anywhere grid max-h-56 grid-cols-1 gap-1.5 overflow-y-auto"
      />
      {other && (
        <p className="wrap-anywhere mt-1.5 text-[13px] text-muted leading-snug">
          {t("mount.form.sameFiles", { path: other.mount_path })}
        </p>
      )}
      {problems.storage && (
        <p role="alert" className="mt-1.5 text-[13px] text-danger">
          {t(problems.storage)}
        </p>
      )}
    </div>
  );
}

function NumberFields(props: FieldsProps) {
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2 sm:gap-3">
      <FormTextField
        form={props}
        name="cacheTtl"
        label={t("mount.form.cacheTtl")}
        inputMode="numeric"
        hint={t("mount.form.cacheTtlHint")}
      />
      <FormTextField
        form={props}
        name="sortOrder"
        label={t("mount.form.sortOrder")}
        hint={t("mount.form.sortOrderHint")}
      />
    </div>
  );
}
