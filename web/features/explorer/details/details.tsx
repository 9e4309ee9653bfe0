import type { ReactNode } from "react";
import { formatBytes } from "#contract/format-bytes";
import { hasRawBytes, nameOf, parentOf } from "#contract/paths";
import { failureText } from "../../../api/failure.ts";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { loadWords, t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { dateTime } from "../../../lib/time.ts";
import { useCode } from "../../../page/code.ts";
import { useCamera } from "../../../preview/camera/use-camera.ts";
import { useCover, useMusic } from "../../../preview/music/use-music.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { kindWords } from "../../../ui/file/kind.ts";
import { Notice } from "../../../ui/notice.tsx";
import { EntryIcon } from "../folder/entry-parts.tsx";
import { usePreviewRecord } from "../folder/previews.ts";
import { bytesOf, type Entry } from "../model/entry.ts";
import { throughServer } from "../preview/addresses.ts";
import { OwnLinks } from "./own-links.tsx";

interface DetailsProps {
  readonly entries: readonly Entry[];
  /** Links to it can be listed: it is in the tree of somebody who has some. */
  readonly hasLinks: boolean;
}

/** What is known of one entry, or of several together. */
export function Details({ entries, hasLinks }: DetailsProps) {
  useLanguage();
  const [only] = entries;
  return entries.length === 1 && only ? <One entry={only} hasLinks={hasLinks} /> : <Several entries={entries} />;
}

function One({ entry, hasLinks }: Pick<DetailsProps, "hasLinks"> & { readonly entry: Entry }) {
  const language = useLanguage();
  const { path, name, isDirectory, typeName } = entry;
  const { data, error } = usePreviewRecord(entry, true);
  const { size, modified, etag } = data ?? entry;
  const through = data && throughServer(data);
  const read = through && fetchableAddress(`${through}&inline=1`);
  const camera = useCamera(isDirectory ? "" : name, read);
  const music = useMusicRows(typeName === "audio" ? read : undefined);
  return (
    <div className="grid gap-4">
      <div className="flex items-center gap-3">
        {music.cover ? (
          <img src={music.cover} alt="" className="size-12 shrink-0 rounded object-cover" />
        ) : (
          <span className={classes("grid shrink-0 place-items-center", typeName === "audio" && "size-12")}>
            <EntryIcon entry={entry} className="size-8 shrink-0" />
          </span>
        )}
        <p className="wrap-anywhere min-w-0 font-semibold">
          <bdi>{shownName(name)}</bdi>
        </p>
      </div>
      {hasRawBytes(name) && <Notice tone="plain">{`${t("shell.rawName")} ${t("explorer.details.rawName")}`}</Notice>}
      {error && <Notice tone="error">{failureText(error)}</Notice>}
      {music.rows.length > 0 && (
        <dl className="divide-y divide-line rounded-lg border border-line px-3.5">
          {music.rows.map(([name, value]) => (
            <Detail key={name} name={name}>
              <bdi>{value}</bdi>
            </Detail>
          ))}
        </dl>
      )}
      <dl className="divide-y divide-line rounded-lg border border-line px-3.5">
        <Detail name={t("explorer.details.kind")}>{kindWords(typeName, name)}</Detail>
        {size !== undefined && (
          <Detail name={t("explorer.list.size")}>
            {t("explorer.details.bytes", { size: formatBytes(size, language), bytes: size.toLocaleString(language) })}
          </Detail>
        )}
        {modified && <Detail name={t("explorer.list.modified")}>{dateTime(modified, language)}</Detail>}
        <Detail name={t("explorer.details.where")} copy={bare(path)}>
          {shownName(parentOf(bare(path)))}
        </Detail>
        {!isDirectory && data && <Detail name={t("explorer.details.type")}>{data.contentType}</Detail>}
        {etag && <Detail name="ETag">{etag}</Detail>}
      </dl>
      {camera.length > 0 && (
        <dl className="divide-y divide-line rounded-lg border border-line px-3.5">
          {camera.map(({ name, value, copies }) => (
            <Detail key={name} name={name} {...(copies && { copy: value, copyLabel: copies })}>
              {value}
            </Detail>
          ))}
        </dl>
      )}
      {hasLinks && <OwnLinks path={path} />}
    </div>
  );
}

/** What a recording says of itself, in words, and where its cover is drawn from. */
function useMusicRows(address: string | undefined) {
  useLanguage();
  const music = useMusic(address);
  const cover = useCover(music?.cover);
  const loads = async () => {
    await loadWords("viewer");
    return true;
  };
  const { data: hasWords = false } = useCode("words of viewers", loads, music !== undefined);
  const said = hasWords && music ? music : {};
  const rows = (["title", "artist", "album", "year"] as const).flatMap((row) => {
    const value = said[row];
    return value === undefined ? [] : [[t(`viewer.music.${row}`), String(value)] as const];
  });
  return { cover, rows };
}

function Several({ entries }: { readonly entries: readonly Entry[] }) {
  const language = useLanguage();
  const folders = entries.filter(({ isDirectory }) => isDirectory).length;
  const names = entries.slice(0, 10).map(({ path }) => shownName(nameOf(bare(path))));
  return (
    <dl className="divide-y divide-line rounded-lg border border-line px-3.5">
      <Detail name={t("explorer.details.folders")}>{folders}</Detail>
      <Detail name={t("explorer.details.files")}>{entries.length - folders}</Detail>
      <Detail name={t("explorer.list.size")}>{formatBytes(bytesOf(entries), language)}</Detail>
      <Detail name={t("explorer.list.name")}>
        {names.map((name) => (
          <p key={name}>{name}</p>
        ))}
        {entries.length > names.length && <p>{t("explorer.remove.more", { count: entries.length - names.length })}</p>}
      </Detail>
    </dl>
  );
}

interface DetailProps {
  readonly name: string;
  readonly children: ReactNode;
  /** What a button beside it copies. */
  readonly copy?: string;
  readonly copyLabel?: string;
}

const Detail = ({ name, children, copy, copyLabel = t("explorer.details.copyPath") }: DetailProps) => (
  <div className="flex items-center gap-3 py-2">
    <dt className="w-20 shrink-0 self-start text-muted">{name}</dt>
    <dd className="wrap-anywhere min-w-0 flex-1">{children}</dd>
    {copy && (
      <dd className="-my-2 -mr-2">
        <CopyButton iconOnly text={copy} label={copyLabel} />
      </dd>
    )}
  </div>
);
