import { MAX_ENDPOINT_CHARACTERS, MAX_FOLDER_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Choices } from "../../../../ui/choices.tsx";
import { Checkbox, TextField } from "../../../../ui/field.tsx";
import { capacityUnits } from "./capacity.ts";
import { onBuiltIn } from "./filled.ts";
import type { FieldsProps } from "./use-storage-form.ts";

/** How a storage is used: how much it takes, where shares go in it, who may use it. */
export function UseFields(props: FieldsProps) {
  useLanguage();
  const { filled, fill, problems, storage } = props;
  return (
    <>
      <CapacityField {...props} />
      <TextField
        label={t("storage.form.folder")}
        mono
        value={filled.folder}
        maxLength={MAX_FOLDER_CHARACTERS}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={t("storage.form.folderHint")}
        error={problems.folder && t(problems.folder)}
        onChange={(event) => fill({ folder: event.target.value })}
      />
      {onBuiltIn(filled) ? null : <AddressFields {...props} />}
      <div className="grid justify-items-start">
        <Checkbox
          label={t("storage.form.forKeys")}
          checked={filled.forKeys}
          onChange={(event) => fill({ forKeys: event.target.checked })}
        />
        {storage ? null : (
          <Checkbox
            label={t("storage.form.isDefault")}
            checked={filled.isDefault}
            onChange={(event) => fill({ isDefault: event.target.checked })}
          />
        )}
      </div>
    </>
  );
}

function CapacityField({ filled, fill, problems }: FieldsProps) {
  return (
    <div>
      <div className="grid grid-cols-[1fr_auto] items-start gap-2">
        <TextField
          label={t("storage.form.capacity")}
          inputMode="decimal"
          autoComplete="off"
          disabled={filled.unlimited}
          value={filled.amount}
          error={problems.amount && t(problems.amount)}
          onChange={(event) => fill({ amount: event.target.value })}
        />
        <div className="pt-[27px]">
          <Choices
            hiddenLegend
            legend={t("storage.form.unit")}
            disabled={filled.unlimited}
            choices={capacityUnits.map((value) => ({ value, label: value }))}
            value={filled.unit}
            onChoose={(unit) => fill({ unit })}
            className="grid grid-cols-[repeat(3,3rem)] gap-1"
          />
        </div>
      </div>
      <Checkbox
        className="mt-1"
        label={t("storage.form.unlimited")}
        checked={filled.unlimited}
        onChange={(event) => fill({ unlimited: event.target.checked })}
      />
    </div>
  );
}

/** How browsers are sent to the storage. */
function AddressFields({ filled, fill, problems }: FieldsProps) {
  return (
    <>
      <TextField
        label={t("storage.form.customHost")}
        mono
        inputMode="url"
        value={filled.customHost}
        maxLength={MAX_ENDPOINT_CHARACTERS}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://files.example.com"
        hint={t("storage.form.customHostHint")}
        error={problems.customHost && t(problems.customHost)}
        onChange={(event) => fill({ customHost: event.target.value })}
      />
      <TextField
        label={t("storage.form.signature")}
        inputMode="numeric"
        value={filled.signature}
        autoComplete="off"
        hint={t("storage.form.signatureHint")}
        error={problems.signature && t(problems.signature)}
        onChange={(event) => fill({ signature: event.target.value })}
      />
    </>
  );
}
