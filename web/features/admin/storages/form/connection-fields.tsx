import { useState } from "react";
import {
  MAX_ACCESS_KEY_CHARACTERS,
  MAX_ENDPOINT_CHARACTERS,
  MAX_REGION_CHARACTERS,
  MAX_SECRET_CHARACTERS,
} from "#contract/limits";
import { namesRegion, providerOf } from "#contract/providers";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Checkbox } from "../../../../ui/form/field.tsx";
import { FormCheckbox, FormTextField } from "../../resource/form-fields.tsx";
import { withRegion } from "./form-values.ts";
import type { FieldsProps } from "./problems.ts";

/** How an S3 storage is reached, and the keys to it. */
export function ConnectionFields(props: FieldsProps) {
  useLanguage();
  const { values, fill } = props;
  const { region, regionExample, takesPathStyle, hint } = providerOf(values.provider);
  return (
    <>
      <FormTextField
        form={props}
        name="region"
        exact
        label={t("storage.form.region")}
        maxLength={MAX_REGION_CHARACTERS}
        placeholder={regionExample}
        hint={region !== "" || namesRegion(values.provider) ? undefined : t("storage.form.regionHint")}
        onChange={(event) => fill(withRegion(values, event.target.value))}
      />
      <div>
        <FormTextField
          form={props}
          name="endpoint"
          exact
          label={t("storage.form.endpoint")}
          inputMode="url"
          maxLength={MAX_ENDPOINT_CHARACTERS}
          placeholder="https://s3.example.com"
          hint={t(`storage.hint.${hint}`)}
        />
        {takesPathStyle && (
          <FormCheckbox form={props} name="pathStyle" className="mt-1" label={t("storage.form.pathStyle")} />
        )}
      </div>
      <KeyFields {...props} />
    </>
  );
}

function KeyFields(props: FieldsProps) {
  const { storage } = props;
  const [shown, setShown] = useState(false);
  const present = storage?.access_key_id;
  return (
    <>
      <FormTextField
        form={props}
        name="accessKey"
        exact
        label={t("storage.form.accessKey")}
        maxLength={MAX_ACCESS_KEY_CHARACTERS}
        hint={present ? t("storage.form.accessKeyKeep", { key: present }) : undefined}
      />
      <div>
        {/* Of type password browsers would fill in the administrator's, and offer to save the secret in its place. */}
        <FormTextField
          form={props}
          name="secret"
          exact
          label={t("storage.form.secret")}
          maxLength={MAX_SECRET_CHARACTERS}
          hint={t(storage ? "storage.form.secretKeep" : "storage.form.secretHint")}
          className={shown ? "" : "[-webkit-text-security:disc]"}
        />
        <Checkbox
          className="mt-1"
          label={t("storage.form.secretShow")}
          checked={shown}
          onChange={(event) => setShown(event.target.checked)}
        />
      </div>
    </>
  );
}
