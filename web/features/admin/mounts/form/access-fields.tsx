import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Choices } from "../../../../ui/form/choices.tsx";
import { FormCheckbox, FormTextField } from "../../resource/form-fields.tsx";
import type { FieldsProps } from "./problems.ts";

/** How the files of a mount are handed out: over WebDAV, and by public addresses of this server. */
export function AccessFields(props: FieldsProps) {
  useLanguage();
  const { values, fill } = props;
  return (
    <>
      <div>
        <Choices
          legend={t("mount.form.webdav")}
          choices={[
            { value: "native_proxy", label: t("mount.form.webdavProxy") },
            { value: "302_redirect", label: t("mount.form.webdavRedirect") },
          ]}
          value={values.webdav}
          onChoose={(webdav) => fill({ webdav })}
          className="grid grid-cols-2 gap-1.5"
        />
        <p className="mt-1.5 text-[13px] text-muted leading-snug">{t(`mount.form.webdavHint.${values.webdav}`)}</p>
      </div>
      <div className="grid justify-items-start">
        <FormCheckbox form={props} name="proxy" label={t("mount.form.proxy")} />
        <p className="text-[13px] text-muted leading-snug">{t("mount.form.proxyHint")}</p>
        {values.proxy && <FormCheckbox form={props} name="sign" label={t("mount.form.sign")} />}
      </div>
      {values.proxy && values.sign && (
        <FormTextField
          form={props}
          name="signExpires"
          label={t("mount.form.signExpires")}
          inputMode="numeric"
          hint={t("mount.form.signExpiresHint")}
        />
      )}
    </>
  );
}
