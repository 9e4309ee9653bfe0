import { useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { bringsUpKeyboard } from "../../lib/media.ts";
import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { Button } from "../button.tsx";
import { TextField } from "../form/field.tsx";
import { allowedHours, lastInput } from "./allowed.ts";
import { allowedPresets, type Expiry } from "./options.ts";
import { Presets } from "./presets.tsx";

interface ExpiryFormProps {
  readonly value: Expiry;
  readonly error: string | undefined;
  readonly onChange: (expiry: Expiry) => void;
  readonly close: () => void;
}

const NEVER = 0;

/** How long the share lives: a preset, which closes the popover, or a time of one's own. */
export function ExpiryForm({ value, error, onChange, close }: ExpiryFormProps) {
  useLanguage();
  const { longest } = allowedHours();
  const presets = allowedPresets(longest).map(({ hours, short }) => ({ value: hours as number, label: t(short) }));
  const chosen = value.kind === "after" ? value.hours : value.kind === "never" ? NEVER : undefined;
  const [typed, setTyped] = useState(() => typedOf(value));
  const custom = (text: string) => {
    setTyped(text);
    const instant = fromLocalInput(text);
    onChange(instant === null ? { kind: "never" } : { kind: "at", time: Date.parse(instant ?? "") });
  };
  return (
    <>
      <Presets
        label={t("paste.options.expiry.title")}
        choices={longest > 0 ? presets : [{ value: NEVER, label: t("paste.options.expiry.never") }, ...presets]}
        value={chosen}
        onChoose={(hours) => {
          onChange(hours === NEVER ? { kind: "never" } : { kind: "after", hours });
          close();
        }}
      />
      <TextField
        type="datetime-local"
        label={t("paste.options.expiry.custom")}
        value={typed}
        data-autofocus={bringsUpKeyboard() ? undefined : true}
        min={toLocalInput(new Date().toISOString())}
        max={lastInput()}
        error={error}
        onChange={(event) => custom(event.target.value)}
      />
      <Button type="submit" className="justify-self-end">
        {t("paste.options.done")}
      </Button>
    </>
  );
}

const typedOf = (expiry: Expiry): string =>
  expiry.kind === "at" && !Number.isNaN(expiry.time) ? toLocalInput(new Date(expiry.time).toISOString()) : "";
