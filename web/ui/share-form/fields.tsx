import { MAX_PASSWORD_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_SLUG_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { toLocalInput } from "../../lib/time.ts";
import { Checkbox, TextField } from "../form/field.tsx";
import { ExpiryField } from "../share-options/expiry-field.tsx";
import type { LivingShare, ShareValues } from "./form-values.ts";
import type { FieldsProps } from "./kind.ts";

type ShareFieldsProps = FieldsProps<LivingShare, ShareValues>;

/** The fields that texts and files have in common; what is shared itself each page edits in its own way. */
export function ShareFields({ share, values, problems, onFill }: ShareFieldsProps) {
  useLanguage();
  return (
    <>
      <TextField
        label={t("share.form.remark")}
        value={values.remark}
        maxLength={MAX_REMARK_CHARACTERS}
        onChange={(event) => onFill({ remark: event.target.value })}
      />
      <TextField
        label={t("share.form.slug")}
        mono
        value={values.slug}
        maxLength={MAX_SLUG_CHARACTERS}
        autoCapitalize="none"
        spellCheck={false}
        hint={t("share.form.slugHint")}
        error={problems.slug && t(problems.slug)}
        onChange={(event) => onFill({ slug: event.target.value })}
      />
      <ExpiryField
        value={values.expiry}
        before={toLocalInput(share.expires_at)}
        error={problems.expiry && t(problems.expiry)}
        onChange={(expiry) => onFill({ expiry })}
      />
      <ViewsField share={share} values={values} problems={problems} onFill={onFill} />
      {share.sealed ? (
        <p className="text-[13px] text-muted">{t("file.form.sealed")}</p>
      ) : (
        <PasswordField share={share} values={values} problems={problems} onFill={onFill} />
      )}
    </>
  );
}

function ViewsField({ share, values, problems, onFill }: ShareFieldsProps) {
  return (
    <div>
      <TextField
        label={t("share.form.views")}
        inputMode="numeric"
        value={values.views}
        hint={t("share.form.viewsHint", { count: share.views })}
        error={problems.views && t(problems.views)}
        onChange={(event) => onFill({ views: event.target.value })}
      />
      {share.views > 0 ? (
        <Checkbox
          label={t("share.form.resetViews")}
          checked={values.resetViews}
          onChange={(event) => onFill({ resetViews: event.target.checked })}
        />
      ) : null}
    </div>
  );
}

function PasswordField({ share, values, onFill }: ShareFieldsProps) {
  return (
    <div>
      <TextField
        label={t("share.form.password")}
        type="password"
        autoComplete="new-password"
        value={values.password}
        maxLength={MAX_PASSWORD_CHARACTERS}
        disabled={values.clearPassword}
        hint={share.has_password ? t("share.form.passwordKeep") : t("share.form.passwordNone")}
        onChange={(event) => onFill({ password: event.target.value })}
      />
      {share.has_password ? (
        <Checkbox
          label={t("share.form.clearPassword")}
          checked={values.clearPassword}
          onChange={(event) => onFill({ clearPassword: event.target.checked })}
        />
      ) : null}
    </div>
  );
}
