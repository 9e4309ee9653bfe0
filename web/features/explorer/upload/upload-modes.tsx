import Settings2 from "lucide-react/icons/settings-2";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Popover } from "../../../ui/overlay/popover.tsx";
import { preferences, uploadModes } from "../model/preferences.ts";

/** How files go up, with what each way is good for; the choice is remembered and holds for what is sent from then on. */
export function UploadModes() {
  useLanguage();
  const { mode } = useStore(preferences);
  return (
    <Popover
      label={t("explorer.upload.mode")}
      className="p-4"
      trigger={(props) => (
        <Button variant="plain" icon={<Settings2 aria-hidden />} {...props}>
          {t(`explorer.upload.${mode}`)}
        </Button>
      )}
    >
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium text-sm">{t("explorer.upload.mode")}</legend>
        {uploadModes.map((one) => (
          <label key={one} className="flex cursor-pointer gap-2.5 rounded-lg p-1.5 hover:bg-sunken">
            <input
              type="radio"
              name="upload-mode"
              value={one}
              checked={one === mode}
              onChange={() => preferences.change({ mode: one })}
              className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5"
            />
            <span>
              <span className="block font-medium">{t(`explorer.upload.${one}`)}</span>
              <span className="block text-[13px] text-muted">{t(`explorer.upload.${one}Hint`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Popover>
  );
}
