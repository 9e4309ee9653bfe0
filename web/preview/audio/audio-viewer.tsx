import SkipBack from "lucide-react/icons/skip-back";
import SkipForward from "lucide-react/icons/skip-forward";
import { useEffect, useRef, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { shownName } from "../../lib/shown-name.ts";
import { IconButton } from "../../ui/button.tsx";
import { FileIcon } from "../../ui/file-kind/file-icon.tsx";
import { Card } from "../../ui/surface.tsx";
import type { Neighbours } from "../file/neighbours.ts";
import { NoPreview } from "../file/no-preview.tsx";
import type { ViewerProps } from "../file/props.ts";
import { Speed } from "../media/speed.tsx";
import { useMediaKeys } from "../media/use-media-keys.ts";

/** A recording with the browser's own controls; in a folder it is one of a playlist. */
export function AudioViewer({ shown, file, onFail, neighbours }: ViewerProps) {
  useLanguage();
  const media = useRef<HTMLAudioElement>(null);
  const player = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useMediaKeys({ media, player, shared: neighbours !== undefined });
  const list = neighbours?.files.filter(({ typeName }) => typeName === "audio").map(({ filename }) => filename) ?? [];
  const at = list.indexOf(file.filename);
  const step = (by: 1 | -1) => {
    const next = list[at + by];
    if (next !== undefined) neighbours?.show(next, true);
  };
  const plays = neighbours?.plays === true;
  useEffect(() => {
    // Where the browser wants a press first, it waits for one.
    if (plays) media.current?.play().catch(() => undefined);
  }, [plays]);
  return (
    <Card className="grid min-h-64 content-center justify-items-center gap-6 p-6 sm:p-10">
      {failed ? (
        <NoPreview text={t("file.view.unplayable")} />
      ) : (
        <div ref={player} className="grid w-full justify-items-center gap-6">
          <div className="grid size-24 place-items-center rounded-2xl bg-accent-soft text-accent">
            <FileIcon type={file.typeName} filename={file.filename} className="size-11" />
          </div>
          {/* biome-ignore lint/a11y/useMediaCaption: whoever shared it gave no captions */}
          <audio
            ref={media}
            controls
            preload="metadata"
            src={shown}
            aria-label={shownName(file.filename)}
            onError={() => onFail() || setFailed(true)}
            onEnded={() => step(1)}
            className="w-full max-w-xl"
          />
          <div className="flex items-center gap-1">
            {list.length > 1 && (
              <IconButton label={t("viewer.audio.previous")} disabled={at <= 0} onClick={() => step(-1)}>
                <SkipBack aria-hidden />
              </IconButton>
            )}
            <Speed media={media} />
            {list.length > 1 && (
              <IconButton label={t("viewer.audio.next")} disabled={at >= list.length - 1} onClick={() => step(1)}>
                <SkipForward aria-hidden />
              </IconButton>
            )}
          </div>
        </div>
      )}
      {neighbours && list.length > 1 && <Playlist list={list} at={at} show={neighbours.show} />}
    </Card>
  );
}

interface PlaylistProps {
  readonly list: readonly string[];
  readonly at: number;
  readonly show: Neighbours["show"];
}

/** The recordings of the folder, in its order. */
function Playlist({ list, at, show }: PlaylistProps) {
  useLanguage();
  const current = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one plays
  useEffect(() => {
    // In braces: some browsers answer with a promise, which React would take for a way to clean up.
    current.current?.scrollIntoView?.({ block: "nearest" });
  }, [at]);
  return (
    <ol
      aria-label={t("viewer.audio.playlist")}
      className="max-h-72 w-full max-w-xl overflow-y-auto rounded-lg border border-line"
    >
      {list.map((filename, index) => (
        <li key={filename} className="border-line border-b last:border-b-0">
          <button
            ref={index === at ? current : undefined}
            type="button"
            aria-current={index === at || undefined}
            onClick={() => show(filename, true)}
            className={classes(
              "flex min-h-9 w-full items-center gap-3 px-3 py-1.5 text-left pointer-coarse:min-h-11",
              index === at ? "bg-accent-soft font-medium text-accent" : "hover:bg-sunken",
            )}
          >
            <span className="w-6 text-right text-[13px] tabular-nums">{index + 1}</span>
            <bdi className="min-w-0 truncate">{shownName(filename)}</bdi>
          </button>
        </li>
      ))}
    </ol>
  );
}
