import Download from "lucide-react/icons/download";
import Folder from "lucide-react/icons/folder";
import Lock from "lucide-react/icons/lock";
import { useMemo, useRef, useState } from "react";
import { type EncodingName, encodings } from "#contract/encodings";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { formatBytes } from "../../lib/bytes.ts";
import { useCode } from "../../lib/code.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { FileIcon } from "../../ui/file-kind/file-icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { gapStyle, useWindowed } from "../../ui/windowed.ts";
import { Frame, Pick } from "../file/frame.tsx";
import type { ArchiveEntry, ArchiveList } from "./archive.ts";
import { detectNames, nameOf } from "./names.ts";
import { useEntryDownload } from "./use-entry-download.ts";

interface ArchiveTableProps {
  readonly list: ArchiveList;
  readonly address: string;
  readonly name: string;
}

/** The files of an archive, in its own order. */
export function ArchiveTable({ list: { entries, cut }, address, name }: ArchiveTableProps) {
  const language = useLanguage();
  const isTold = entries.every(({ isUtf8 }) => isUtf8);
  const { data } = useCode(isTold ? "nothing to detect" : "detecting encodings", async () =>
    isTold ? null : { detect: await (await import("../text/detect-encoding.ts")).loadEncodingDetector() },
  );
  const detected = useMemo(() => (data ? detectNames(entries, data.detect) : "UTF-8"), [entries, data]);
  const [chosen, setChosen] = useState<EncodingName>();
  const encoding = chosen ?? detected;
  const names = useMemo(() => entries.map((entry) => nameOf(entry, encoding)), [entries, encoding]);
  const ids = useMemo(() => entries.map(({ index }) => String(index)), [entries]);
  const place = useRef<HTMLUListElement>(null);
  const { pieces, events } = useWindowed(place, ids, 45);
  const taking = useEntryDownload(address);
  const files = entries.filter(({ isFolder }) => !isFolder);
  const size = files.reduce((sum, entry) => sum + entry.size, 0);
  const said = { count: files.length, size: formatBytes(size, language) };
  const tools = (
    <>
      <span className="px-2 text-[13px] text-muted">{t("viewer.archive.sum", said)}</span>
      <span className="ml-auto" />
      {isTold ? null : (
        <Pick
          label={t("viewer.archive.encoding")}
          value={encoding}
          options={encodings.map((value) => ({ value, label: value }))}
          onPick={setChosen}
        />
      )}
    </>
  );
  return (
    <Frame label={t("file.view.tools")} tools={tools}>
      {cut && (
        <p className="border-line border-b bg-sunken px-4 py-2 text-[13px] text-muted">{t("viewer.archive.cut")}</p>
      )}
      {taking.problem && (
        <Notice tone="error" className="m-3">
          {t(`viewer.archive.problem.${taking.problem}`)}
        </Notice>
      )}
      <ul ref={place} {...events} aria-label={t("viewer.archive.files", { name })}>
        {pieces.map((piece) =>
          piece.kind === "gap" ? (
            <li key={`gap ${piece.before}`} aria-hidden style={gapStyle(piece.height)} />
          ) : (
            <Entry
              key={ids[piece.index]}
              entry={entries[piece.index] as ArchiveEntry}
              name={names[piece.index] ?? ""}
              busy={taking.busy === piece.index}
              onTake={taking.take}
            />
          ),
        )}
      </ul>
      {taking.locked && <PasswordDialog {...taking.locked} />}
    </Frame>
  );
}

interface EntryProps {
  readonly entry: ArchiveEntry;
  readonly name: string;
  readonly busy: boolean;
  readonly onTake: (entry: ArchiveEntry, name: string) => void;
}

function Entry({ entry, name, busy, onTake }: EntryProps) {
  const language = useLanguage();
  const shown = shownName(name);
  return (
    <li className="flex min-h-11 items-center gap-3 border-line border-b px-3 last:border-b-0 sm:px-4">
      {entry.isFolder ? (
        <Folder aria-hidden className="size-[18px] shrink-0 text-muted" />
      ) : (
        <FileIcon type="unknown" filename={name} className="size-[18px] shrink-0 text-muted" />
      )}
      <bdi className="wrap-anywhere min-w-0 flex-1 py-1.5" title={shown}>
        {shown}
      </bdi>
      {entry.isEncrypted && <Lock aria-label={t("viewer.archive.locked")} className="size-4 shrink-0 text-muted" />}
      {entry.isFolder ? null : (
        <>
          <span className="shrink-0 text-[13px] text-muted tabular-nums">{formatBytes(entry.size, language)}</span>
          <IconButton
            label={t("viewer.archive.take", { name: shown })}
            aria-busy={busy || undefined}
            disabled={busy}
            onClick={() => onTake(entry, name)}
          >
            <Download aria-hidden />
          </IconButton>
        </>
      )}
    </li>
  );
}

interface PasswordDialogProps {
  readonly wrong: boolean;
  readonly onPassword: (password: string) => void;
  readonly onClose: () => void;
}

function PasswordDialog({ wrong, onPassword, onClose }: PasswordDialogProps) {
  useLanguage();
  const [password, setPassword] = useState("");
  return (
    <Dialog title={t("viewer.archive.passwordTitle")} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onPassword(password);
        }}
      >
        <TextField
          type="password"
          data-autofocus
          autoComplete="off"
          label={t("viewer.archive.password")}
          value={password}
          error={wrong ? t("viewer.archive.wrongPassword") : undefined}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Button type="submit" variant="primary" className="justify-self-end">
          {t("viewer.archive.takeOut")}
        </Button>
      </form>
    </Dialog>
  );
}
