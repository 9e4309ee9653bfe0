import SkipBack from "lucide-react/icons/skip-back";
import SkipForward from "lucide-react/icons/skip-forward";
import { useEffect, useRef, useState } from "react";
import type { Previewed } from "#contract/shown-as";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FileIcon } from "../../ui/file/file-icon.tsx";
import { NoPreview } from "../file/no-preview.tsx";
import type { ViewerProps } from "../file/props.ts";
import { Speed } from "../media/speed.tsx";
import { useMediaKeys } from "../media/use-media-keys.ts";
import type { MusicTags } from "../music/tags.ts";
import { useMediaSession } from "../music/use-media-session.ts";
import { useCover, useMusic } from "../music/use-music.ts";
import { Playlist } from "./playlist.tsx";

/** A recording with the browser's own controls and what its tags say; in a folder it is one of a playlist. */
export function AudioViewer({ shown, read, file, onFail, neighbours }: ViewerProps) {
  useLanguage();
  const media = useRef<HTMLAudioElement>(null);
  const player = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useMediaKeys({ media, player, shared: neighbours !== undefined });
  const list = neighbours?.files.filter(({ typeName }) => typeName === "audio").map(({ filename }) => filename) ?? [];
  const at = list.indexOf(file.filename);
  const to = (by: 1 | -1) => {
    const next = at === -1 ? undefined : list[at + by];
    return next === undefined ? undefined : () => neighbours?.show(next, true);
  };
  const [previous, next] = [to(-1), to(1)];
  const music = useMusic(read);
  const cover = useCover(music?.cover);
  const title = music?.title ?? stemOf(file.filename);
  useMediaSession({ ...music, title, cover, previous, next });
  const plays = neighbours?.plays === true;
  useEffect(() => {
    // Where the browser wants a press first, it waits for one.
    if (plays) media.current?.play().catch(() => undefined);
  }, [plays]);
  return (
    <Card className="grid min-h-64 shrink-0 content-center justify-items-center gap-6 p-6 sm:p-10">
      <div ref={player} className="grid w-full justify-items-center gap-6">
        <CoverAndNames {...{ file, music, title, cover }} />
        {failed ? (
          <NoPreview text={t("file.view.unplayable")} />
        ) : (
          // biome-ignore lint/a11y/useMediaCaption: whoever shared it gave no captions
          <audio
            ref={media}
            controls
            preload="metadata"
            src={shown}
            aria-label={shownName(file.filename)}
            onError={() => onFail() || setFailed(true)}
            onEnded={() => next?.()}
            className="w-full max-w-xl"
          />
        )}
        <div className="flex items-center gap-1">
          {list.length > 1 && (
            <IconButton label={t("viewer.audio.previous")} disabled={!previous} onClick={() => previous?.()}>
              <SkipBack aria-hidden />
            </IconButton>
          )}
          {failed ? null : <Speed media={media} />}
          {list.length > 1 && (
            <IconButton label={t("viewer.audio.next")} disabled={!next} onClick={() => next?.()}>
              <SkipForward aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      {neighbours && list.length > 1 && (
        <Playlist list={list} at={at} playing={music} show={neighbours.show} find={neighbours.find} />
      )}
    </Card>
  );
}

/** The name of a file without its ending. */
const stemOf = (filename: string): string => shownName(filename.replace(/(?<=.)\.[^.]+$/, ""));

interface CoverAndNamesProps {
  readonly file: Previewed;
  readonly music: MusicTags | undefined;
  readonly title: string;
  readonly cover: string | undefined;
}

/** The cover and the names; as high before they are known. */
function CoverAndNames({ file, music, title, cover }: CoverAndNamesProps) {
  useLanguage();
  const said = [music?.artist, music?.album, music?.year?.toString()].filter((name) => name !== undefined);
  // An album may be called as who made it.
  const names = [...new Set(said)];
  return (
    <>
      <div className="grid size-48 place-items-center overflow-hidden rounded-2xl bg-accent-soft text-accent">
        {cover ? (
          <img src={cover} alt={t("viewer.music.cover")} className="size-full object-cover" />
        ) : (
          <FileIcon type={file.typeName} filename={file.filename} className="size-14" />
        )}
      </div>
      <div className="grid w-full max-w-xl gap-0.5 text-center">
        <p className="truncate font-semibold text-lg leading-7" title={title}>
          <bdi>{title}</bdi>
        </p>
        <p className="h-6 truncate text-muted leading-6" title={names.join(" · ")}>
          {names.map((name, index) => (
            <span key={name}>
              {index > 0 && " · "}
              <bdi>{name}</bdi>
            </span>
          ))}
        </p>
      </div>
    </>
  );
}
