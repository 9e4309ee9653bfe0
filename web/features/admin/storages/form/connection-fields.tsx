import { useState } from "react";
import {
  MAX_ACCESS_KEY_CHARACTERS,
  MAX_ENDPOINT_CHARACTERS,
  MAX_REGION_CHARACTERS,
  MAX_SECRET_CHARACTERS,
} from "#contract/limits";
import { namesRegion, providerOf } from "#contract/providers";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Checkbox, TextField } from "../../../../ui/field.tsx";
import { withRegion } from "./filled.ts";
import type { FieldsProps } from "./use-storage-form.ts";

/** Settings of a field that holds no prose. */
const exact = {
  mono: true,
  autoComplete: "off",
  autoCapitalize: "none",
  autoCorrect: "off",
  spellCheck: false,
} as const;

/** How an S3 storage is reached, and the keys to it. */
export function ConnectionFields(props: FieldsProps) {
  useLanguage();
  const { filled, fill, problems } = props;
  const { region, regionExample, takesPathStyle, hint } = providerOf(filled.provider);
  return (
    <>
      <TextField
        label={t("storage.form.region")}
        {...exact}
        value={filled.region}
        maxLength={MAX_REGION_CHARACTERS}
        placeholder={regionExample}
        hint={region !== "" || namesRegion(filled.provider) ? undefined : t("storage.form.regionHint")}
        onChange={(event) => fill(withRegion(filled, event.target.value))}
      />
      <div>
        <TextField
          label={t("storage.form.endpoint")}
          {...exact}
          inputMode="url"
          value={filled.endpoint}
          maxLength={MAX_ENDPOINT_CHARACTERS}
          placeholder="https://s3.example.com"
          hint={t(`storage.hint.${hint}`)}
          error={problems.endpoint && t(problems.endpoint)}
          onChange={(event) => fill({ endpoint: event.target.value })}
        />
        {takesPathStyle && (
          <Checkbox
            className="mt-1"
            label={t("storage.form.pathStyle")}
            checked={filled.pathStyle}
            onChange={(event) => fill({ pathStyle: event.target.checked })}
          />
        )}
      </div>
      <KeyFields {...props} />
    </>
  );
}

function KeyFields({ filled, fill, problems, storage }: FieldsProps) {
  const [shown, setShown] = useState(false);
  const present = storage?.access_key_id;
  return (
    <>
      <TextField
        label={t("storage.form.accessKey")}
        {...exact}
        value={filled.accessKey}
        maxLength={MAX_ACCESS_KEY_CHARACTERS}
        hint={present ? t("storage.form.accessKeyKeep", { key: present }) : undefined}
        error={problems.accessKey && t(problems.accessKey)}
        onChange={(event) => fill({ accessKey: event.target.value })}
      />
      <div>
        {/* Of type password browsers would fill in the administrator's, and offer to save the secret in its place. */}
        <TextField
          label={t("storage.form.secret")}
          {...exact}
          value={filled.secret}
          maxLength={MAX_SECRET_CHARACTERS}
          hint={t(storage ? "storage.form.secretKeep" : "storage.form.secretHint")}
          error={problems.secret && t(problems.secret)}
          className={shown ? "" : "[-webkit-text-security:disc]"}
          onChange={(event) => fill({ secret: event.target.value })}
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
