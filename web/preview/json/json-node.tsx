import { useQuery } from "@tanstack/react-query";
import ChevronRight from "lucide-react/icons/chevron-right";
import { type ReactNode, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import type { JsonStretch } from "./json.ts";
import type { JsonValue } from "./json-index.ts";

/** Values that are drawn together; more of them stand in stretches that fold, as browsers show long lists. */
const PORTION = 100;
/** Deeper ones are indented no further. */
const DEEPEST = 24;

type Ask = (stretch: JsonStretch) => Promise<readonly JsonValue[]>;

interface NodeProps {
  readonly value: JsonValue;
  readonly ask: Ask;
  readonly depth: number;
  /** Nodes above this depth begin open. */
  readonly opens: number;
}

/** One value of a JSON text with what is in it. */
export function JsonNode({ value, ask, depth, opens }: NodeProps) {
  const label = value.name === undefined ? null : <span className="text-(--code-variable)">{value.name}: </span>;
  if (value.kind === "text" || value.kind === "other") {
    return (
      <li style={indentOf(depth)} className="flex py-0.5 leading-6 pointer-coarse:py-1.5">
        <span className="w-6 shrink-0" />
        <span className="wrap-anywhere min-w-0">
          {label}
          {value.kind === "text" ? (
            <span className="text-(--code-string)">{JSON.stringify(value.shown)}</span>
          ) : (
            <span className="text-(--code-number)">{value.shown}</span>
          )}
        </span>
      </li>
    );
  }
  const [first, last] = value.kind === "list" ? "[]" : "{}";
  return (
    <Folding
      depth={depth}
      isOpen={depth < opens}
      title={(isOpen) => (
        <>
          {label}
          {first}
          {isOpen ? null : <span className="text-muted"> {value.count} </span>}
          {isOpen ? null : last}
        </>
      )}
    >
      <Stretch from={0} to={value.count} {...{ value, ask, depth: depth + 1, opens }} />
    </Folding>
  );
}

interface StretchProps extends NodeProps {
  readonly from: number;
  readonly to: number;
}

/** What is in a list or an object from one place up to another: the values themselves, or stretches of them, of which the first is open. */
function Stretch({ from, to, ...node }: StretchProps) {
  const { depth } = node;
  if (to - from <= PORTION) return <Values from={from} to={to} {...node} />;
  const length = lengthOf(to - from);
  return Array.from({ length: Math.ceil((to - from) / length) }, (_, index) => {
    const part = { from: from + index * length, to: Math.min(to, from + (index + 1) * length) };
    const title = `${part.from} … ${part.to - 1}`;
    return (
      <Folding
        key={part.from}
        depth={depth}
        isOpen={index === 0}
        title={() => <span className="text-muted">{title}</span>}
      >
        <Stretch {...part} {...node} depth={depth + 1} />
      </Folding>
    );
  });
}

/** How long stretches are, so that there are at most PORTION of them. */
const lengthOf = (count: number): number => PORTION ** Math.ceil(Math.log(count) / Math.log(PORTION) - 1 - 1e-9);

function Values({ value, ask, from, to, ...node }: StretchProps) {
  useLanguage();
  const { data, error } = useQuery({
    queryKey: ["json", ask, value.at, from],
    queryFn: () => ask({ at: value.at, from, to }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error) return <li className="p-2 font-sans text-danger">{t("text.unread.broken")}</li>;
  // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
  return data?.map((child, index) => <JsonNode key={index} value={child} ask={ask} {...node} />);
}

const indentOf = (depth: number) => ({ paddingLeft: Math.min(depth, DEEPEST) * 16 });

interface FoldingProps {
  readonly depth: number;
  readonly isOpen: boolean;
  readonly title: (isOpen: boolean) => ReactNode;
  readonly children: ReactNode;
}

function Folding({ depth, isOpen: first, title, children }: FoldingProps) {
  const [isOpen, setOpen] = useState(first);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        style={indentOf(depth)}
        className="flex w-full items-start rounded py-0.5 text-left leading-6 hover:bg-sunken pointer-coarse:py-2.5"
      >
        <ChevronRight
          aria-hidden
          className={classes("mt-1 mr-2 size-4 shrink-0 text-muted transition-transform", isOpen && "rotate-90")}
        />
        <span className="min-w-0 truncate">{title(isOpen)}</span>
      </button>
      {isOpen ? <ul>{children}</ul> : null}
    </li>
  );
}
