import { useState } from "react";
import { MAX_VIEWS } from "#contract/limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { TextField } from "../field.tsx";
import { Presets } from "./presets.tsx";

interface ViewsFormProps {
  readonly value: number;
  readonly onChange: (views: number) => void;
  readonly close: () => void;
}

const presets = [1, 5, 10];

/** The number a field holds, or undefined when it is no view limit. */
export function viewLimit(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d*$/.test(trimmed)) return undefined;
  const number = Number(trimmed);
  return number <= MAX_VIEWS ? number : undefined;
}

/** How often the share can be opened: a preset, which closes the popover, or a number. */
export function ViewsForm({ value, onChange, close }: ViewsFormProps) {
  useLanguage();
  const [typed, setTyped] = useState(value === 0 ? "" : String(value));
  const wrong = viewLimit(typed) === undefined;
  return (
    <>
      <Presets
        label={t("paste.options.views.title")}
        choices={[
          { value: 0, label: t("paste.options.views.unlimited") },
          ...presets.map((count) => ({ value: count, label: String(count) })),
        ]}
        value={value}
        onChoose={(count) => {
          onChange(count);
          close();
        }}
      />
      <TextField
        inputMode="numeric"
        label={t("paste.options.views.field")}
        hint={t("paste.options.views.hint")}
        error={wrong ? t("paste.options.views.invalid") : undefined}
        placeholder="0"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(viewLimit(event.target.value) ?? 0);
        }}
      />
    </>
  );
}
