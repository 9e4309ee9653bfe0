import { t, useLanguage } from "../../../i18n/i18n.ts";
import { type Heading, type OutlineNode, outline } from "../../../preview/markdown/outline.ts";

/** The headings of the text as a tree of links into it. */
export function OutlinePanel({ headings, onGo }: { headings: readonly Heading[]; onGo?: () => void }) {
  useLanguage();
  if (headings.length === 0) return <p className="text-[13px] text-muted">{t("reading.view.noOutline")}</p>;
  return (
    <nav aria-label={t("reading.view.outline")} className="text-[13px] leading-5">
      <Branch nodes={outline(headings)} onGo={onGo} />
    </nav>
  );
}

function Branch({ nodes, onGo }: { nodes: readonly OutlineNode[]; onGo: (() => void) | undefined }) {
  return (
    <ul className="not-first:ml-3 space-y-0.5 border-line">
      {nodes.map((node) => (
        <li key={node.id}>
          <a
            href={`#${node.id}`}
            onClick={onGo}
            className="block truncate rounded-md px-2 py-1 text-muted transition-colors hover:bg-sunken hover:text-text pointer-coarse:py-2.5"
          >
            {node.text}
          </a>
          {node.children.length > 0 ? <Branch nodes={node.children} onGo={onGo} /> : null}
        </li>
      ))}
    </ul>
  );
}
