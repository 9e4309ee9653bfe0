import type { KeyboardEvent, ReactNode } from "react";
import { classes } from "../../lib/classes.ts";

interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** Before the label; decoration only. */
  readonly icon?: ReactNode;
}

interface TabsProps<Name extends string> {
  /** What the tabs divide. */
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** Id of the panel that shows the chosen one. */
  readonly panel: string;
}

/** A row of tabs; arrow keys go from one to the next (ARIA Authoring Practices, "Tabs"). */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, panel }: TabsProps<Name>) {
  const go = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next.name);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} onKeyDown={go} className="flex gap-1 rounded-lg bg-sunken p-1 sm:w-max">
      {tabs.map(({ name, label: text, icon }) => (
        <button
          key={name}
          type="button"
          role="tab"
          data-tab={name}
          aria-selected={name === chosen}
          aria-controls={panel}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
          className={classes(
            "inline-flex h-8 items-center justify-center gap-2 rounded-md px-3 font-medium text-sm transition-colors max-sm:flex-1 pointer-coarse:h-11 [&_svg]:size-[18px]",
            name === chosen ? "bg-raised text-text shadow-raised" : "text-muted hover:text-text",
          )}
        >
          {icon}
          {text}
        </button>
      ))}
    </div>
  );
}
