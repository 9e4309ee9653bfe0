import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import { type TextSource, useWorkerSession } from "../file/use-worker-session.ts";
import { UnreadFile } from "../file/worker-result.tsx";
import type { CsvTold, OpenedCsv } from "./csv.ts";
import workerAddress from "./csv.worker.ts?worker";
import { Grid } from "./grid.tsx";

type Rows = readonly (readonly string[])[];
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Rows that are asked for together, and how many such blocks are kept. */
const BLOCK = 200;
const KEPT = 40;

/** Separated values as a table; the first row names the columns. */
export function CsvView({ bytes, encoding, name }: TextSource & { readonly name: string }) {
  const number = new Intl.NumberFormat(useLanguage());
  const { state, told, ask } = useWorkerSession<OpenedCsv, Stretch, Rows, CsvTold>(workerAddress, { bytes, encoding });
  const { rowAt, onSeen } = useBlocks(ask, bytes, told?.count ?? 0);
  if (state.is === "failed") return <UnreadFile code={state.code} />;
  if (state.is === "reading" || !told) return <ReadingSkeleton />;
  const { sample } = state.opened;
  const count = number.format(Math.max(0, told.count - 1));
  return (
    <>
      <Grid
        count={told.count}
        rowAt={(index) => rowAt(index) ?? sample[index]}
        sample={sample}
        label={t("viewer.table.of", { name })}
        headed
        cut={told.cut}
        onSeen={onSeen}
      />
      <p role="status" className="border-line border-t px-4 py-1.5 text-[13px] text-muted tabular-nums">
        {told.finished ? t("viewer.table.rows", { count }) : t("viewer.table.rowsSoFar", { count })}
      </p>
    </>
  );
}

/** The rows that are in sight, asked for in blocks; those seen longest ago are forgotten. */
function useBlocks(ask: (stretch: Stretch) => Promise<Rows>, bytes: Uint8Array, known: number) {
  const [blocks, setBlocks] = useState<ReadonlyMap<number, Rows>>(new Map());
  const asked = useRef(new Set<number>());
  const last = useRef(known);
  last.current = known;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other rows
  useEffect(() => {
    asked.current = new Set();
    setBlocks(new Map());
  }, [bytes, ask]);
  const onSeen = useCallback(
    (from: number, to: number) => {
      for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block += 1) {
        const stretch = { from: block * BLOCK, to: (block + 1) * BLOCK };
        // A block at the end of what is known so far is asked for again when more is.
        if (asked.current.has(block) || stretch.from >= last.current) continue;
        const isWhole = stretch.to <= last.current;
        asked.current.add(block);
        const forget = () => asked.current.delete(block);
        ask(stretch).then((rows) => {
          if (!isWhole) forget();
          setBlocks((before) => kept(before, block, rows, asked.current));
        }, forget);
      }
    },
    [ask],
  );
  const rowAt = useMemo(() => (index: number) => blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK], [blocks]);
  return { rowAt, onSeen };
}

function kept(before: ReadonlyMap<number, Rows>, block: number, rows: Rows, asked: Set<number>) {
  const others = [...before].filter(([other]) => other !== block);
  for (const [other] of others.splice(0, others.length - KEPT + 1)) asked.delete(other);
  return new Map([...others, [block, rows]]);
}
