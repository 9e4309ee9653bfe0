import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { TextField } from "../../../../ui/form/field.tsx";
import { matching, type SignGroup, signGroups } from "./signs.ts";

/** Signs beside each other; the class below says it too. */
const COLUMNS = 8;

interface EmojiPickerProps {
  readonly onPick: (sign: string) => void;
}

/** Emoji to choose from, found by their names. They are letters of the system's font: nothing is loaded for them. */
export function EmojiPicker({ onPick }: EmojiPickerProps) {
  const language = useLanguage();
  const [wanted, setWanted] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: signGroups() reads the language
  const all = useMemo(signGroups, [language]);
  const found = matching(all, useDeferredValue(wanted));
  const field = useRef<HTMLInputElement>(null);
  // On a phone the keyboard would cover the signs.
  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) field.current?.focus({ preventScroll: true });
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    // What is shown may be a letter behind what was typed.
    const first = matching(all, event.target.value)[0]?.signs[0];
    if (first) onPick(first.sign);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys lead from the field to the signs and between these
    <div
      className="flex max-h-[min(60dvh,380px)] flex-col"
      onKeyDown={(event) => {
        // The toolbar around it has its own use for arrows.
        if (event.key !== "Escape") event.stopPropagation();
        onKeyDown(event);
        walk(event);
      }}
    >
      <TextField
        ref={field}
        label={t("emoji.search")}
        hiddenLabel
        placeholder={t("emoji.search")}
        type="search"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      <div className="mt-2 min-h-24 overflow-y-auto">
        {found.map((group) => (
          <Group key={group.id} group={group} onPick={onPick} />
        ))}
        {found.length === 0 ? (
          <p role="status" className="px-1 py-4 text-muted">
            {t("emoji.none")}
          </p>
        ) : null}
      </div>
    </div>
  );
}

function Group({ group: { id, signs }, onPick }: EmojiPickerProps & { readonly group: SignGroup }) {
  useLanguage();
  const title = useId();
  return (
    <section aria-labelledby={title}>
      <h3 id={title} className="sticky top-0 bg-raised px-1 py-1.5 font-medium text-muted text-xs">
        {t(`emoji.group.${id}`)}
      </h3>
      <div className="grid grid-cols-8">
        {signs.map(({ sign, name }) => (
          <button
            key={sign}
            type="button"
            data-sign
            aria-label={name}
            title={name}
            onClick={() => onPick(sign)}
            className="grid aspect-square min-h-9 place-items-center rounded-lg text-xl hover:bg-sunken focus:bg-sunken"
          >
            {sign}
          </button>
        ))}
      </div>
    </section>
  );
}

/** Arrows lead through the signs, and up from their first row back to the field. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const inField = event.target instanceof HTMLInputElement;
  const step = { ArrowDown: COLUMNS, ArrowUp: -COLUMNS, ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined || (inField && event.key !== "ArrowDown")) return;
  const signs = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-sign]")];
  const at = signs.findIndex((sign) => sign.matches(":focus"));
  const to = inField ? 0 : Math.min(at + step, signs.length - 1);
  event.preventDefault();
  if (to < 0) event.currentTarget.querySelector("input")?.focus();
  else signs[to]?.focus();
}
