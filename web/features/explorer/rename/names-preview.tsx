import ArrowRight from "lucide-react/icons/arrow-right";
import { useMemo, useRef } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { FileName } from "../../../ui/file/file-name.tsx";
import { gapStyle, useWindowed } from "../../../ui/use-windowed.ts";
import type { NewName } from "./new-names.ts";

/** Pixels of a row before it is drawn. */
const ROW = 41;

/** The old names, each with its new one: first those that cannot be given. */
export function NamesPreview({ names }: { readonly names: readonly NewName[] }) {
  useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const { rows, ids } = useMemo(() => {
    const rows = [...names.filter(({ wrong }) => wrong), ...names.filter(({ wrong }) => !wrong)];
    return { rows, ids: rows.map(({ entry }) => entry.path) };
  }, [names]);
  const { pieces, events } = useWindowed(list, ids, ROW);
  return (
    <ul
      ref={list}
      {...events}
      aria-label={t("explorer.renaming.list")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
      tabIndex={0}
      className="divide-y divide-line rounded-lg border border-line"
    >
      {pieces.map((piece) => {
        if (piece.kind === "gap") return <li key={`gap ${piece.before}`} aria-hidden style={gapStyle(piece.height)} />;
        const row = rows[piece.index];
        return row && <Row key={row.entry.path} {...row} />;
      })}
    </ul>
  );
}

function Row({ entry, name, wrong }: NewName) {
  useLanguage();
  const isSame = name === entry.name && !wrong;
  return (
    <li
      data-wrong={wrong}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2.5 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)_auto]"
    >
      <span className="col-span-3 min-w-0 text-muted sm:col-span-1 [&_bdi]:font-normal">
        <FileName name={entry.name} />
      </span>
      <ArrowRight role="img" aria-label={t("explorer.renaming.becomes")} className="size-4 text-muted rtl:rotate-180" />
      <span className={classes("min-w-0", isSame && "text-muted [&_bdi]:font-normal", wrong && "text-danger")}>
        <FileName name={name} />
      </span>
      {wrong && <span className="text-[13px] text-danger">{t(`explorer.renaming.wrong.${wrong}`)}</span>}
    </li>
  );
}
