import { MAX_ENDPOINT_CHARACTERS, MAX_FOLDER_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Choices } from "../../../../ui/form/choices.tsx";
import { FormCheckbox, FormTextField } from "../../resource/form-fields.tsx";
import { capacityUnits } from "./capacity.ts";
import { onServer } from "./form-values.ts";
import type { FieldsProps } from "./problems.ts";

/** How a storage is used: how much it takes, where shares go in it, who may use it. */
export function UseFields(props: FieldsProps) {
  useLanguage();
  const { values, storage } = props;
  return (
    <>
      <CapacityField {...props} />
      <FormTextField
        form={props}
        name="folder"
        exact
        label={t("storage.form.folder")}
        maxLength={MAX_FOLDER_CHARACTERS}
        hint={t("storage.form.folderHint")}
      />
      {onServer(values) ? null : <AddressFields {...props} />}
      <div className="grid justify-items-start">
        <FormCheckbox form={props} name="forKeys" label={t("storage.form.forKeys")} />
        {storage ? null : <FormCheckbox form={props} name="isDefault" label={t("storage.form.isDefault")} />}
      </div>
    </>
  );
}

function CapacityField(props: FieldsProps) {
  const { values, fill } = props;
  return (
    <div>
      <div className="grid grid-cols-[1fr_auto] items-start gap-2">
        <FormTextField
          form={props}
          name="amount"
          label={t("storage.form.capacity")}
          inputMode="decimal"
          disabled={values.unlimited}
        />
        <div className="pt-[27px]">
          <Choices
            hiddenLegend
            legend={t("storage.form.unit")}
            disabled={values.unlimited}
            choices={capacityUnits.map((value) => ({ value, label: value }))}
            value={values.unit}
            onChoose={(unit) => fill({ unit })}
            className="grid grid-cols-[repeat(3,3rem)] gap-1"
          />
        </div>
      </div>
      <FormCheckbox form={props} name="unlimited" className="mt-1" label={t("storage.form.unlimited")} />
    </div>
  );
}

/** How browsers are sent to the storage. */
function AddressFields(props: FieldsProps) {
  return (
    <>
      <FormTextField
        form={props}
        name="customHost"
        exact
        label={t("storage.form.customHost")}
        inputMode="url"
        maxLength={MAX_ENDPOINT_CHARACTERS}
        placeholder="https://files.example.com"
        hint={t("storage.form.customHostHint")}
      />
      <FormTextField
        form={props}
        name="signature"
        label={t("storage.form.signature")}
        inputMode="numeric"
        hint={t("storage.form.signatureHint")}
      />
    </>
  );
}
