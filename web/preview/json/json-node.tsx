import ChevronRight from "lucide-react/icons/chevron-right";
import { type ReactNode, useMemo, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import type { ReadJson } from "./read-json.ts";

/** Children that are drawn at once; the others follow on request. */
const PORTION = 100;
/** Deeper ones are indented no further. */
const DEEPEST = 24;
/** Characters of a text in one line. */
const MAX_TEXT = 2000;

interface NodeProps extends Pick<ReadJson, "numberOf"> {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
  /** Nodes above this depth begin open. */
  readonly opens: number;
}

/** One value of a JSON text with what is in it. */
export function JsonNode({ name, value, numberOf, depth, opens }: NodeProps) {
  useLanguage();
  const children = useMemo(() => childrenOf(value), [value]);
  const [open, setOpen] = useState(depth < opens);
  const [shown, setShown] = useState(PORTION);
  const label = name === undefined ? null : <span className="text-(--code-variable)">{name}: </span>;
  const indent = { paddingLeft: Math.min(depth, DEEPEST) * 16 };
  if (!children) {
    return (
      <li style={indent} className="flex py-0.5 leading-6">
        <span className="w-6 shrink-0" />
        <span className="wrap-anywhere min-w-0">
          {label}
          {scalar(value, numberOf)}
        </span>
      </li>
    );
  }
  const [first, last] = Array.isArray(value) ? "[]" : "{}";
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        style={indent}
        className="flex w-full items-start rounded py-0.5 text-left leading-6 hover:bg-sunken pointer-coarse:min-h-11"
      >
        <ChevronRight
          aria-hidden
          className={classes("mt-1 mr-2 size-4 shrink-0 text-muted transition-transform", open && "rotate-90")}
        />
        <span className="min-w-0 truncate">
          {label}
          {first}
          {open ? null : <span className="text-muted"> {children.count} </span>}
          {open ? null : last}
        </span>
      </button>
      {open && (
        <ul>
          {children.first(shown).map(([key, child], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
            <JsonNode key={index} name={key} value={child} numberOf={numberOf} depth={depth + 1} opens={opens} />
          ))}
        </ul>
      )}
      {open && children.count > shown && (
        <button
          type="button"
          style={{ marginLeft: 24 + Math.min(depth, DEEPEST) * 16 }}
          className="rounded-lg px-2 py-1 font-sans text-accent hover:bg-sunken pointer-coarse:min-h-11"
          onClick={() => setShown(shown + PORTION * 10)}
        >
          {t("viewer.json.more", { count: children.count - shown })}
        </button>
      )}
    </li>
  );
}

/** What is in a list or an object; only those that are drawn are made, because there may be millions. */
function childrenOf(value: unknown) {
  if (typeof value !== "object" || value === null) return undefined;
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const held = value as Readonly<Record<string, unknown>>;
  return {
    count: names ? names.length : (value as readonly unknown[]).length,
    first(most: number): (readonly [key: string, child: unknown])[] {
      const shown = names
        ? names.slice(0, most)
        : (value as readonly unknown[]).slice(0, most).map((_, at) => String(at));
      return shown.map((name) => [name, held[name]]);
    },
  };
}

function scalar(value: unknown, numberOf: ReadJson["numberOf"]): ReactNode {
  const number = typeof value === "string" ? numberOf(value) : undefined;
  if (typeof value === "string" && number === undefined) {
    const text = value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
    return <span className="text-(--code-string)">{JSON.stringify(text)}</span>;
  }
  return <span className="text-(--code-number)">{number ?? String(value)}</span>;
}
