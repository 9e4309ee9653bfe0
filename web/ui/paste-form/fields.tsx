import { MAX_PASSWORD_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_SLUG_CHARACTERS } from "#contract/limits";
import type { WholePaste } from "#contract/pastes";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { LAST_LOCAL_INPUT } from "../../lib/time.ts";
import { Checkbox, TextField } from "../field.tsx";
import type { Filled } from "./change.ts";
import type { Problems } from "./problems.ts";

interface PasteFieldsProps {
  readonly paste: WholePaste;
  readonly filled: Filled;
  readonly problems: Problems;
  readonly onFill: (part: Partial<Filled>) => void;
}

/** The fields of a text share besides its text, which each page edits in its own way. */
export function PasteFields({ paste, filled, problems, onFill }: PasteFieldsProps) {
  useLanguage();
  return (
    <>
      <TextField
        label={t("paste.edit.remark")}
        value={filled.remark}
        maxLength={MAX_REMARK_CHARACTERS}
        onChange={(event) => onFill({ remark: event.target.value })}
      />
      <TextField
        label={t("paste.edit.slug")}
        mono
        value={filled.slug}
        maxLength={MAX_SLUG_CHARACTERS}
        autoCapitalize="none"
        spellCheck={false}
        hint={t("paste.edit.slugHint")}
        error={problems.slug && t(problems.slug)}
        onChange={(event) => onFill({ slug: event.target.value })}
      />
      <TextField
        type="datetime-local"
        label={t("paste.edit.expiry")}
        value={filled.expiry}
        max={LAST_LOCAL_INPUT}
        hint={t("paste.edit.expiryHint")}
        error={problems.expiry && t(problems.expiry)}
        onChange={(event) => onFill({ expiry: event.target.value })}
      />
      <ViewsField paste={paste} filled={filled} problems={problems} onFill={onFill} />
      <PasswordField paste={paste} filled={filled} problems={problems} onFill={onFill} />
    </>
  );
}

function ViewsField({ paste, filled, problems, onFill }: PasteFieldsProps) {
  return (
    <div>
      <TextField
        label={t("paste.edit.views")}
        inputMode="numeric"
        value={filled.views}
        hint={t("paste.edit.viewsHint", { count: paste.views })}
        error={problems.views && t(problems.views)}
        onChange={(event) => onFill({ views: event.target.value })}
      />
      {paste.views > 0 ? (
        <Checkbox
          label={t("paste.edit.resetViews")}
          checked={filled.resetViews}
          onChange={(event) => onFill({ resetViews: event.target.checked })}
        />
      ) : null}
    </div>
  );
}

function PasswordField({ paste, filled, onFill }: PasteFieldsProps) {
  return (
    <div>
      <TextField
        label={t("paste.edit.password")}
        type="password"
        autoComplete="new-password"
        value={filled.password}
        maxLength={MAX_PASSWORD_CHARACTERS}
        disabled={filled.clearPassword}
        hint={paste.has_password ? t("paste.edit.passwordKeep") : t("paste.edit.passwordNone")}
        onChange={(event) => onFill({ password: event.target.value })}
      />
      {paste.has_password ? (
        <Checkbox
          label={t("paste.edit.clearPassword")}
          checked={filled.clearPassword}
          onChange={(event) => onFill({ clearPassword: event.target.checked })}
        />
      ) : null}
    </div>
  );
}
