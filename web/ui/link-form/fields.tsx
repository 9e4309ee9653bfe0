import ChevronRight from "lucide-react/icons/chevron-right";
import {
  MAX_LINK_NETWORKS,
  MAX_LINK_NOTE_CHARACTERS,
  MAX_LINK_TITLE_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
  MAX_SLUG_CHARACTERS,
} from "#contract/limits";
import { type LinkRight, linkRights } from "#contract/permissions";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { toLocalInput } from "../../lib/time.ts";
import { Checkbox, TextArea, TextField } from "../form/field.tsx";
import { ExpiryField } from "../share-options/expiry-field.tsx";
import { InboundFields } from "./inbound-fields.tsx";
import { type LinkFieldsProps, type LinkProblems, type LinkValues, switched, wrongNetwork } from "./values.ts";

/** What a link is called, what it allows, and behind a fold how long, how often and from where. */
export function LinkFields(props: LinkFieldsProps) {
  useLanguage();
  const { values, fill, problems } = props;
  const folded = [problems.slug, problems.opens, problems.downloads, problems.networks].every((one) => !one);
  return (
    <div className="grid gap-5">
      <TextField
        label={t("link.form.name")}
        value={values.title}
        maxLength={MAX_LINK_TITLE_CHARACTERS}
        hint={t("link.form.nameHint")}
        onChange={({ target }) => fill({ title: target.value })}
      />
      <TextArea
        label={t("link.form.note")}
        value={values.note}
        maxLength={MAX_LINK_NOTE_CHARACTERS}
        hint={t("link.form.noteHint")}
        className="min-h-16"
        rows={2}
        onChange={({ target }) => fill({ note: target.value })}
      />
      <Rights {...props} />
      {values.upload && <InboundFields {...props} />}
      <PasswordField {...props} />
      <ExpiryField
        value={values.expiry}
        before={toLocalInput(props.link?.expires_at ?? null)}
        error={problems.expiry && t(problems.expiry)}
        onChange={(expiry) => fill({ expiry })}
      />
      {/* What is wrong inside is in sight. */}
      <details className="group/more" open={folded ? undefined : true}>
        <summary className="-mx-2 flex min-h-9 cursor-pointer list-none items-center gap-1.5 rounded-lg px-2 font-medium hover:bg-sunken pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-4 text-muted transition-transform group-open/more:rotate-90" />
          {t("link.form.more")}
        </summary>
        <div className="mt-3 grid gap-5">
          <MoreFields {...props} />
        </div>
      </details>
    </div>
  );
}

/** The three things that a link can allow. */
function Rights({ values, fill, problems, mayUpload }: LinkFieldsProps) {
  const isOff = (right: LinkRight) => right === "upload" && !mayUpload && !values.upload;
  return (
    <fieldset className="min-w-0" aria-invalid={problems.rights ? true : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{t("link.form.rights")}</legend>
      <div className="divide-y divide-line rounded-lg border border-line">
        {linkRights.map((right) => (
          <label
            key={right}
            className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2 has-disabled:cursor-default has-disabled:opacity-60"
          >
            <input
              type="checkbox"
              role="switch"
              aria-checked={values[right]}
              checked={values[right]}
              disabled={isOff(right)}
              aria-invalid={problems.rights ? true : undefined}
              onChange={({ target }) => fill(switched(right, target.checked))}
              className="size-4 shrink-0 accent-accent pointer-coarse:size-5"
            />
            <span className="min-w-0">
              <span className="block font-medium">{t(`link.form.${right}`)}</span>
              <span className="block text-[13px] text-muted">
                {isOff(right) ? t("link.form.uploadNever") : t(`link.form.${right}Hint`)}
              </span>
            </span>
          </label>
        ))}
      </div>
      {problems.rights && (
        <p role="alert" className="mt-1.5 text-[13px] text-danger">
          {t(problems.rights)}
        </p>
      )}
    </fieldset>
  );
}

function PasswordField({ values, fill, link }: LinkFieldsProps) {
  return (
    <div>
      <TextField
        label={t(link?.has_password ? "share.form.password" : "link.form.password")}
        type="password"
        autoComplete="new-password"
        value={values.password}
        maxLength={MAX_PASSWORD_CHARACTERS}
        disabled={values.clearPassword}
        hint={t(link?.has_password ? "share.form.passwordKeep" : "share.form.passwordNone")}
        onChange={({ target }) => fill({ password: target.value })}
      />
      {link?.has_password ? (
        <Checkbox
          label={t("share.form.clearPassword")}
          checked={values.clearPassword}
          onChange={({ target }) => fill({ clearPassword: target.checked })}
        />
      ) : null}
    </div>
  );
}

function MoreFields({ values, fill, problems, link }: LinkFieldsProps) {
  return (
    <>
      <TextField
        label={t("link.form.label")}
        value={values.label}
        maxLength={MAX_LINK_TITLE_CHARACTERS}
        hint={t("link.form.labelHint")}
        onChange={({ target }) => fill({ label: target.value })}
      />
      <TextField
        label={t("link.form.slug")}
        mono
        value={values.slug}
        maxLength={MAX_SLUG_CHARACTERS}
        autoCapitalize="none"
        spellCheck={false}
        hint={t("link.form.slugHint")}
        error={problems.slug && t(problems.slug)}
        onChange={({ target }) => fill({ slug: target.value })}
      />
      <TextField
        label={t("link.form.opens")}
        inputMode="numeric"
        value={values.opens}
        hint={link ? t("link.form.opensSoFar", { count: link.opens }) : t("link.form.opensHint")}
        error={problems.opens && t(problems.opens)}
        onChange={({ target }) => fill({ opens: target.value })}
      />
      <TextField
        label={t("link.form.downloads")}
        inputMode="numeric"
        value={values.downloads}
        hint={link ? t("link.form.downloadsSoFar", { count: link.downloads }) : t("link.form.downloadsHint")}
        error={problems.downloads && t(problems.downloads)}
        onChange={({ target }) => fill({ downloads: target.value })}
      />
      <TextArea
        label={t("link.form.networks")}
        mono
        value={values.networks}
        className="min-h-16"
        rows={2}
        autoCapitalize="none"
        spellCheck={false}
        hint={t("link.form.networksHint")}
        error={networksError(values, problems)}
        onChange={({ target }) => fill({ networks: target.value })}
      />
    </>
  );
}

function networksError(values: LinkValues, { networks }: Partial<LinkProblems>): string | undefined {
  if (networks === "link.form.networksMany") return t(networks, { most: MAX_LINK_NETWORKS });
  return networks && t(networks, { line: wrongNetwork(values) ?? "" });
}
