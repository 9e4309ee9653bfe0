import { ALL_PERMISSIONS, allows, bitsOf, type Permission, permissionBits } from "#contract/permissions";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { Checkbox } from "../../../../ui/form/field.tsx";
import type { FieldsProps } from "./problems.ts";

/** The nine rights as they belong together. */
const groups = {
  share: ["text", "file_share"],
  mount: ["mount_view", "mount_upload", "mount_copy", "mount_rename", "mount_delete"],
  webdav: ["webdav_read", "webdav_manage"],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

/** Rights that keys often have together. */
const templates = {
  share: bitsOf(["text", "file_share"]),
  read: bitsOf(["mount_view", "webdav_read"]),
  upload: bitsOf(["file_share", "mount_view", "mount_upload"]),
  webdav: bitsOf(["webdav_read", "webdav_manage"]),
  all: ALL_PERMISSIONS,
} as const;

type Template = keyof typeof templates;

/** What the key may do: templates, then each right by itself. */
export function PermissionFields({ values, fill, problems }: FieldsProps) {
  useLanguage();
  const { permissions } = values;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-medium text-sm">{t("admin.keys.form.permissions")}</legend>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset within this one would be read as more fields */}
      <div role="group" aria-label={t("admin.keys.form.templates")} className="flex flex-wrap gap-1.5">
        {(Object.keys(templates) as Template[]).map((template) => (
          <Button
            key={template}
            aria-pressed={permissions === templates[template]}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
            onClick={() => fill({ permissions: templates[template] })}
          >
            {t(`admin.keys.template.${template}`)}
          </Button>
        ))}
      </div>
      <div className="grid gap-3 rounded-lg border border-line p-3.5">
        {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
          <fieldset key={group}>
            <legend className="font-semibold text-muted text-xs">{t(`admin.keys.group.${group}`)}</legend>
            <div className="grid gap-x-3 sm:grid-cols-2">
              {groups[group].map((right) => (
                <Checkbox
                  key={right}
                  label={t(`admin.keys.right.${right}`)}
                  checked={allows(permissions, right)}
                  aria-invalid={problems.permissions ? true : undefined}
                  onChange={() => fill({ permissions: permissions ^ permissionBits[right] })}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      {problems.permissions && (
        <p role="alert" className="text-[13px] text-danger">
          {t(problems.permissions)}
        </p>
      )}
    </fieldset>
  );
}
