import Download from "lucide-react/icons/download";
import Folder from "lucide-react/icons/folder";
import Link2 from "lucide-react/icons/link-2";
import Lock from "lucide-react/icons/lock";
import { useMemo, useRef } from "react";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { IconButton } from "../../ui/button.tsx";
import { FileIcon } from "../../ui/file/file-icon.tsx";
import { gapStyle, useWindowed } from "../../ui/use-windowed.ts";
import type { ArchiveEntry } from "./archive.ts";
import { type Row, typeInside } from "./rows.ts";

interface ArchiveRowsProps {
  readonly label: string;
  readonly rows: readonly Row[];
  /** The place in the list of what is taken out just now. */
  readonly busy: number | undefined;
  readonly onFolder: (name: string) => void;
  readonly onOpen: (entry: ArchiveEntry) => void;
  /** Undefined where nothing may be kept. */
  readonly onKeep: ((entry: ArchiveEntry, name: string) => void) | undefined;
}

/** The folders and files of a folder in an archive. */
export function ArchiveRows({ label, rows, busy, ...acts }: ArchiveRowsProps) {
  const place = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => rows.map((row) => (row.kind === "folder" ? `/${row.name}` : `${row.entry.index}`)), [rows]);
  const { pieces, events } = useWindowed(place, ids, 45);
  return (
    <ul ref={place} {...events} aria-label={label}>
      {pieces.map((piece) =>
        piece.kind === "gap" ? (
          <li key={`gap ${piece.before}`} aria-hidden style={gapStyle(piece.height)} />
        ) : (
          <OneRow key={ids[piece.index]} row={rows[piece.index] as Row} busy={busy} {...acts} />
        ),
      )}
    </ul>
  );
}

const line =
  "flex min-h-11 items-center gap-1 border-line border-b pr-2 last:border-b-0 has-[>:enabled]:hover:bg-sunken";
const target = "flex min-h-11 min-w-0 flex-1 items-center gap-3 px-3 py-1.5 text-left disabled:text-muted sm:px-4";

interface OneRowProps extends Pick<ArchiveRowsProps, "busy" | "onFolder" | "onOpen" | "onKeep"> {
  readonly row: Row;
}

function OneRow({ row, busy, onFolder, onOpen, onKeep }: OneRowProps) {
  const language = useLanguage();
  const shown = shownName(row.name);
  const size = row.kind === "folder" ? row.size : row.entry.size;
  const isBusy = row.kind === "file" && busy === row.entry.index;
  const isLink = row.kind === "file" && row.entry.isLink;
  return (
    <li className={line}>
      <button
        type="button"
        title={shown}
        disabled={isLink}
        onClick={() => (row.kind === "folder" ? onFolder(row.name) : onOpen(row.entry))}
        className={target}
      >
        {row.kind === "folder" ? (
          <Folder aria-hidden className="size-[18px] shrink-0 text-muted" />
        ) : (
          <FileIcon type={typeInside(row.name)} filename={row.name} className="size-[18px] shrink-0 text-muted" />
        )}
        <bdi className="wrap-anywhere min-w-0 flex-1">{shown}</bdi>
        {row.kind === "file" && row.entry.isEncrypted && (
          <Lock aria-label={t("viewer.archive.locked")} className="size-4 shrink-0 text-muted" />
        )}
        {isLink && <Link2 aria-label={t("viewer.archive.link")} className="size-4 shrink-0 text-muted" />}
        {size === undefined || isLink ? null : (
          <span className="shrink-0 text-[13px] text-muted tabular-nums">{formatBytes(size, language)}</span>
        )}
      </button>
      {row.kind === "file" && onKeep && !isLink ? (
        <IconButton
          label={t("viewer.archive.take", { name: shown })}
          aria-busy={isBusy || undefined}
          disabled={busy !== undefined}
          onClick={() => onKeep(row.entry, row.name)}
        >
          <Download aria-hidden />
        </IconButton>
      ) : (
        <span className="w-9 shrink-0 pointer-coarse:w-11" />
      )}
    </li>
  );
}
