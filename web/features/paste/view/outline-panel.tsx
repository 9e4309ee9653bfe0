import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { type Heading, type OutlineNode, outline } from "../../../preview/markdown/outline.ts";
import { Button } from "../../../ui/button.tsx";

interface OutlineProps {
  readonly headings: readonly Heading[];
  /** Goes there in place of the browser. */
  readonly onGo?: ((heading: Heading) => void) | undefined;
}

/** Headings that are drawn at once: a text may have tens of thousands. */
const STEP = 500;

/** The headings of the text as a tree of links into it; branches can be folded. */
export function OutlinePanel({ headings, onGo }: OutlineProps) {
  useLanguage();
  const [most, setMost] = useState(STEP);
  const left = headings.length - most;
  if (headings.length === 0) return <p className="text-[13px] text-muted">{t("reading.view.noOutline")}</p>;
  return (
    <nav aria-label={t("reading.view.outline")} className="text-[13px] leading-5">
      <Branch nodes={outline(headings.slice(0, most))} onGo={onGo} />
      {left > 0 ? (
        <Button variant="plain" onClick={() => setMost(most + STEP)}>
          {t("reading.view.moreHeadings", { count: left })}
        </Button>
      ) : null}
    </nav>
  );
}

interface BranchProps extends Pick<OutlineProps, "onGo"> {
  readonly nodes: readonly OutlineNode[];
}

function Branch({ nodes, onGo }: BranchProps) {
  return (
    <ul className="not-first:ml-3 space-y-0.5">
      {nodes.map((node) => (
        <OutlineItem key={node.id} node={node} onGo={onGo} />
      ))}
    </ul>
  );
}

function OutlineItem({ node, onGo }: { readonly node: OutlineNode; readonly onGo: OutlineProps["onGo"] }) {
  useLanguage();
  const [open, setOpen] = useState(true);
  const has = node.children.length > 0;
  return (
    <li>
      <div className="group flex items-start">
        {has ? (
          <button
            type="button"
            aria-expanded={open}
            aria-label={t("reading.view.branch", { name: node.text })}
            onClick={() => setOpen(!open)}
            className="grid h-7 w-6 shrink-0 place-items-center rounded text-muted hover:text-text pointer-coarse:h-11 pointer-coarse:w-8"
          >
            <ChevronRight aria-hidden className={classes("size-3.5 transition-transform", open && "rotate-90")} />
          </button>
        ) : (
          <span className="w-6 shrink-0 pointer-coarse:w-8" />
        )}
        <a
          href={`#${node.id}`}
          onClick={(event) => {
            if (!onGo) return;
            event.preventDefault();
            onGo(node);
          }}
          className="block min-w-0 flex-1 truncate rounded-md px-1.5 py-1 text-muted transition-colors hover:bg-sunken hover:text-text pointer-coarse:py-3"
        >
          {node.text}
        </a>
      </div>
      {has && open ? <Branch nodes={node.children} onGo={onGo} /> : null}
    </li>
  );
}
