import { t, useLanguage } from "../../i18n/i18n.ts";
import { bringsUpKeyboard } from "../../lib/media.ts";
import { Button } from "../button.tsx";
import { TextField } from "../form/field.tsx";
import { Presets } from "./presets.tsx";
import { viewLimit } from "./share-problems.ts";

interface ViewsFormProps {
  readonly value: string;
  readonly onChange: (views: string) => void;
  readonly close: () => void;
}

const presets = [1, 5, 10];

/** How often the share can be opened: a preset, which closes the popover, or a number. A keyboard would hide the presets of a phone. */
export function ViewsForm({ value, onChange, close }: ViewsFormProps) {
  useLanguage();
  const limit = viewLimit(value);
  return (
    <>
      <Presets
        label={t("paste.options.views.title")}
        choices={[
          { value: 0, label: t("paste.options.views.unlimited") },
          ...presets.map((count) => ({ value: count, label: String(count) })),
        ]}
        value={limit}
        onChoose={(count) => {
          onChange(count === 0 ? "" : String(count));
          close();
        }}
      />
      <TextField
        inputMode="numeric"
        label={t("paste.options.views.field")}
        hint={t("paste.options.views.hint")}
        error={limit === undefined ? t("share.problem.viewsInvalid") : undefined}
        placeholder="0"
        value={value}
        data-autofocus={bringsUpKeyboard() ? undefined : true}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button type="submit" className="justify-self-end">
        {t("paste.options.done")}
      </Button>
    </>
  );
}
