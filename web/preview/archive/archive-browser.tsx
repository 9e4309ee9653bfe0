import Download from "lucide-react/icons/download";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import { type EncodingName, encodings } from "#contract/text/encodings";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useCode } from "../../page/code.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Frame, Pick as PickOne } from "../file/frame.tsx";
import type { ViewerProps } from "../file/props.ts";
import { ViewerNote } from "../file/viewer-note.tsx";
import type { ArchiveEntry, ArchiveList, ArchiveTask } from "./archive.ts";
import { type ArchiveLocation, useArchiveLocation } from "./archive-location.ts";
import { ArchiveRows } from "./archive-rows.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { detectNames, lastPart, nameOf } from "./names.ts";
import { OpenedFile } from "./opened-file.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { pathInside, type Row, rowsIn, totalOf } from "./rows.ts";
import { type LastTaken, useExtraction } from "./use-extraction.ts";

interface ArchiveBrowserProps extends Pick<ViewerProps, "Inner" | "takeOut"> {
  readonly list: ArchiveList;
  readonly task: ArchiveTask;
  /** The name of the archive. */
  readonly name: string;
  /** How many archives it lies in. */
  readonly level: number;
}

/** An archive to walk through: its folders, and its files by their viewers. */
export function ArchiveBrowser({ list, task, name, level, Inner, takeOut }: ArchiveBrowserProps) {
  useLanguage();
  const { entries, cut } = list;
  const { paths, ...names } = useNames(entries);
  const { inside, isDeeper, go } = useArchiveLocation(level);
  const opened = inside.entry === undefined ? undefined : entries[inside.entry];
  const rows = useMemo(() => rowsIn(entries, paths, inside.folder), [entries, paths, inside.folder]);
  const last = useRef<LastTaken>(undefined);
  const viewing = useExtraction(task, last);
  const keeping = useExtraction(task, last);
  const way = useWay(inside);
  useUp(inside, isDeeper, go);
  const openedName = opened && lastPart(paths[opened.index] ?? "");
  const save = saveBy(keeping, takeOut);
  const tools = (
    <>
      <Breadcrumb
        {...{ name }}
        folder={inside.folder}
        file={openedName}
        onGo={(folder) => go({ folder })}
        place={way}
      />
      {opened && save ? (
        <Button
          icon={<Download aria-hidden />}
          busy={viewing.busy === opened.index || keeping.busy === opened.index}
          onClick={() => save(opened, openedName ?? "")}
        >
          {t("viewer.archive.takeOut")}
        </Button>
      ) : null}
      {opened ? null : <Sum rows={rows} />}
      {opened || names.isTold ? null : (
        <PickOne
          label={t("viewer.archive.encoding")}
          value={names.encoding}
          options={encodings.map((value) => ({ value, label: value }))}
          onPick={names.choose}
        />
      )}
    </>
  );
  return (
    <>
      <Frame label={t("file.view.tools")} tools={tools}>
        <Told cut={opened ? undefined : cut} problem={keeping.problem} />
        {opened ? null : (
          <ArchiveRows
            key={inside.folder}
            label={t("viewer.archive.files", { name })}
            rows={rows}
            busy={keeping.busy}
            onFolder={(folder) => go({ folder: inside.folder === "" ? folder : `${inside.folder}/${folder}` })}
            onOpen={({ index }) => go({ folder: inside.folder, entry: index })}
            onKeep={save}
          />
        )}
      </Frame>
      {opened && (
        <OpenedFile
          key={opened.index}
          entry={opened}
          name={openedName ?? ""}
          level={level + 1}
          take={viewing.take}
          stop={viewing.stop}
          problem={viewing.problem}
          {...{ Inner, takeOut }}
        />
      )}
      <Locked {...{ keeping, viewing }} onLeave={() => go({ folder: inside.folder })} />
    </>
  );
}

/** Returns what saves a file of the archive; undefined where nothing may be kept. */
const saveBy = (keeping: ReturnType<typeof useExtraction>, takeOut: ViewerProps["takeOut"]) =>
  takeOut &&
  ((entry: ArchiveEntry, filename: string) =>
    keeping.take(entry, async (file) => {
      await takeOut();
      saveFile(lastPart(filename), file);
    }));

interface LockedProps extends Readonly<Record<"keeping" | "viewing", ReturnType<typeof useExtraction>>> {
  /** Called when a file on view stays closed. */
  readonly onLeave: () => void;
}

/** Asks for the password of what is to be kept, or to be seen. */
function Locked({ keeping, viewing, onLeave }: LockedProps) {
  const leave = () => {
    viewing.stop();
    onLeave();
  };
  if (keeping.locked) return <PasswordDialog {...keeping.locked} onClose={keeping.stop} />;
  return viewing.locked ? <PasswordDialog {...viewing.locked} onClose={leave} /> : null;
}

/** How much there is in a folder. */
function Sum({ rows }: { readonly rows: readonly Row[] }) {
  const language = useLanguage();
  const { files, size } = totalOf(rows);
  if (size === undefined) return null;
  const said = { count: files, size: formatBytes(size, language) };
  return <span className="px-2 text-[13px] text-muted">{t("viewer.archive.sum", said)}</span>;
}

interface ToldProps {
  readonly cut: ArchiveList["cut"];
  readonly problem: string | undefined;
}

/** Why not all is listed, and why something was not taken out. */
function Told({ cut, problem }: ToldProps) {
  useLanguage();
  return (
    <>
      {cut && <ViewerNote>{t(`viewer.archive.cut.${cut}`)}</ViewerNote>}
      {problem && (
        <Notice tone="error" className="m-3">
          {problem}
        </Notice>
      )}
    </>
  );
}

/** The entries as paths, in the encoding that their names are likely written in, or in a chosen one. */
function useNames(entries: readonly ArchiveEntry[]) {
  const isTold = entries.every(({ isUtf8 }) => isUtf8);
  const { data } = useCode(isTold ? "nothing to detect" : "detecting encodings", async () =>
    isTold ? null : { detect: await (await import("../text/detect-encoding.ts")).loadEncodingDetector() },
  );
  const detected = useMemo(() => (data ? detectNames(entries, data.detect) : "UTF-8"), [entries, data]);
  const [chosen, choose] = useState<EncodingName>();
  const encoding = chosen ?? detected;
  const paths = useMemo(() => entries.map((entry) => pathInside(nameOf(entry, encoding))), [entries, encoding]);
  return { paths, encoding, isTold, choose };
}

/** Takes the focus to the way when somebody goes on: what had it is there no more. */
function useWay({ folder, entry }: ArchiveLocation) {
  const way = useRef<HTMLElement>(null);
  const last = useRef(`${folder} ${entry}`);
  useEffect(() => {
    const now = `${folder} ${entry}`;
    if (last.current !== now) way.current?.focus({ preventScroll: true });
    last.current = now;
  }, [folder, entry]);
  return way;
}

/** Esc leads up, as long as there is something above in the archive; in one that lies in it, there first. */
function useUp({ folder, entry }: ArchiveLocation, isDeeper: boolean, go: (to: ArchiveLocation) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || isDeeper || (folder === "" && entry === undefined)) return;
    if (document.fullscreenElement || document.querySelector("dialog[open], [popover]:popover-open")) return;
    event.preventDefault();
    go({ folder: entry === undefined ? folder.split("/").slice(0, -1).join("/") : folder });
  });
  useEffect(() => {
    // In front of the page's own keys.
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen, true);
    return () => document.removeEventListener("keydown", listen, true);
  }, []);
}
