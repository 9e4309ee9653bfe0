import { useRef } from "react";
import { MAX_FILENAME_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Choices } from "../../../ui/form/choices.tsx";
import { Checkbox, TextField } from "../../../ui/form/field.tsx";
import { placeholders } from "./new-names.ts";
import type { RenameOptions } from "./use-new-names.ts";

interface RenameFieldsProps {
  readonly options: RenameOptions;
  readonly onChoose: (part: Partial<RenameOptions>) => void;
  /** Why an expression makes no names. */
  readonly failure: "none" | "late" | undefined;
}

const kinds = ["replace", "pattern"] as const;

/** What new names are made of. */
export function RenameFields(props: RenameFieldsProps) {
  useLanguage();
  const { options, onChoose } = props;
  return (
    <div className="grid gap-4">
      <Choices
        legend={t("explorer.renaming.how")}
        hiddenLegend
        choices={kinds.map((value) => ({ value, label: t(`explorer.renaming.${value}`) }))}
        value={options.kind}
        onChoose={(kind) => onChoose({ kind })}
        className="grid grid-cols-2 gap-2"
      />
      {options.kind === "replace" ? <ReplaceFields {...props} /> : <PatternFields {...props} />}
      <div className="flex flex-wrap gap-x-5">
        <Checkbox
          label={t("explorer.renaming.keepsEnding")}
          checked={options.keepsEnding}
          onChange={({ target }) => onChoose({ keepsEnding: target.checked })}
        />
        {options.kind === "replace" && (
          <Checkbox
            label={t("explorer.renaming.expression")}
            checked={options.isExpression}
            onChange={({ target }) => onChoose({ isExpression: target.checked })}
          />
        )}
      </div>
    </div>
  );
}

/** Nobody wants letters of a name corrected. */
const exact = {
  maxLength: MAX_FILENAME_CHARACTERS,
  autoCapitalize: "none",
  autoComplete: "off",
  spellCheck: false,
} as const;

function ReplaceFields({ options, onChoose, failure }: RenameFieldsProps) {
  useLanguage();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        {...exact}
        label={t("explorer.renaming.find")}
        value={options.find}
        mono={options.isExpression}
        data-autofocus
        error={failure && t(`explorer.renaming.failed.${failure}`)}
        onChange={({ target }) => onChoose({ find: target.value })}
      />
      <TextField
        {...exact}
        label={t("explorer.renaming.instead")}
        value={options.instead}
        mono={options.isExpression}
        hint={options.isExpression ? t("explorer.renaming.groups") : undefined}
        onChange={({ target }) => onChoose({ instead: target.value })}
      />
    </div>
  );
}

const meanings = { "{name}": "name", "{n}": "number", "{date}": "date" } as const;

function PatternFields({ options, onChoose }: RenameFieldsProps) {
  useLanguage();
  const field = useRef<HTMLInputElement>(null);
  const insert = (placeholder: string) => {
    const { current } = field;
    if (!current) return;
    const { selectionStart, selectionEnd, value } = current;
    const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    current.setRangeText(placeholder, start, end, "end");
    onChoose({ pattern: current.value });
    current.focus();
  };
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_9rem]">
      <div className="grid gap-2">
        <TextField
          {...exact}
          ref={field}
          label={t("explorer.name.renameLabel")}
          value={options.pattern}
          onChange={({ target }) => onChoose({ pattern: target.value })}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be one more frame around three buttons */}
        <div role="group" aria-label={t("explorer.renaming.insert")} className="flex flex-wrap gap-2">
          {placeholders.map((placeholder) => (
            <Button key={placeholder} className="px-2.5 text-[13px]" onClick={() => insert(placeholder)}>
              {t(`explorer.renaming.${meanings[placeholder]}`)}
              <code className="font-mono text-muted">{placeholder}</code>
            </Button>
          ))}
        </div>
      </div>
      <TextField
        label={t("explorer.renaming.start")}
        value={options.start}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        hint={t("explorer.renaming.startHint")}
        onChange={({ target }) => onChoose({ start: target.value.replace(/\D/g, "") })}
      />
    </div>
  );
}
