import Camera from "lucide-react/icons/camera";
import Maximize from "lucide-react/icons/maximize";
import PictureInPicture from "lucide-react/icons/picture-in-picture-2";
import Repeat from "lucide-react/icons/repeat";
import { useRef, useState } from "react";
import { endingOf } from "#contract/file-kinds";
import { MAX_SHOWN_TEXT } from "#contract/viewer-limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { saveFile } from "../../lib/save-file.ts";
import { shownName } from "../../lib/shown-name.ts";
import { IconButton } from "../../ui/button.tsx";
import { toast } from "../../ui/toast/toast.ts";
import { NoPreview } from "../file/no-preview.tsx";
import type { ViewerProps } from "../file/props.ts";
import { fitting, Stage } from "../file/stage.tsx";
import { Speed } from "../media/speed.tsx";
import { fullScreen, STEP, useMediaKeys } from "../media/use-media-keys.ts";
import { useStream } from "./use-stream.ts";
import { useSubtitles } from "./use-subtitles.ts";

/** A film with the browser's own controls; only its beginning is fetched until somebody plays it. */
export function VideoViewer({ shown, read, file, onFail, neighbours }: ViewerProps) {
  useLanguage();
  const media = useRef<HTMLVideoElement>(null);
  const player = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const [loops, setLoops] = useState(false);
  const isStream = endingOf(file.filename) === "m3u8" || /mpegurl/.test(file.mimetype);
  const subtitles = useSubtitles(file.filename, neighbours);
  const stream = useStream({ media, read: isStream && file.size <= MAX_SHOWN_TEXT ? read : undefined, neighbours });
  useMediaKeys({ media, player, shared: neighbours !== undefined });
  const tooLong = isStream && file.size > MAX_SHOWN_TEXT;
  if (failed || stream || tooLong) {
    return (
      <Stage>
        <NoPreview
          text={tooLong ? t("file.view.tooLarge") : stream ? t(`viewer.video.${stream}`) : t("file.view.unplayable")}
        />
      </Stage>
    );
  }
  const keepStill = async () => {
    try {
      if (media.current) await saveStill(media.current, file.filename);
    } catch {
      await toast({ tone: "error", text: t("viewer.video.noStill") });
    }
  };
  const float = () => {
    const leave = document.pictureInPictureElement === media.current;
    const change = leave ? document.exitPictureInPicture() : media.current?.requestPictureInPicture();
    void change?.catch(() => toast({ tone: "error", text: t("viewer.video.noFloat") }));
  };
  return (
    // Where there is less room than the film would take, the film becomes smaller, not its tools hidden.
    <div ref={player} className="flex min-h-0 min-w-0 flex-col justify-center gap-2 bg-surface">
      <Stage>
        {/* biome-ignore lint/a11y/useMediaCaption: subtitles are those that lie beside it */}
        <video
          ref={media}
          controls
          playsInline
          loop={loops}
          preload="metadata"
          src={isStream ? undefined : shown}
          aria-label={shownName(file.filename)}
          onError={() => isStream || onFail() || setFailed(true)}
          className={`aspect-video min-h-0 w-full self-stretch ${fitting}`}
        >
          {subtitles.map(({ address, label, language }, index) => (
            <track
              key={address}
              kind="subtitles"
              src={address}
              label={label}
              srcLang={language}
              default={index === 0}
            />
          ))}
        </video>
      </Stage>
      <div role="toolbar" aria-label={t("file.view.tools")} className="flex shrink-0 items-center gap-1">
        <p className="mr-auto truncate px-1 text-[13px] text-muted pointer-coarse:hidden">
          {t("viewer.video.keys", { seconds: STEP })}
        </p>
        <span className="ml-auto" />
        <Speed media={media} />
        <IconButton label={t("viewer.video.loop")} aria-pressed={loops} onClick={() => setLoops(!loops)}>
          <Repeat aria-hidden />
        </IconButton>
        <IconButton label={t("viewer.video.still")} onClick={() => void keepStill()}>
          <Camera aria-hidden />
        </IconButton>
        {document.pictureInPictureEnabled && (
          <IconButton label={t("viewer.video.float")} onClick={float}>
            <PictureInPicture aria-hidden />
          </IconButton>
        )}
        <IconButton label={t("viewer.video.full")} onClick={() => fullScreen(player.current)}>
          <Maximize aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

/** Saves what a film shows at the moment as PNG, named by the film and the second. Throws when the browser gives no picture of it. */
async function saveStill(film: HTMLVideoElement, filename: string): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = film.videoWidth;
  canvas.height = film.videoHeight;
  canvas.getContext("2d")?.drawImage(film, 0, 0);
  const still = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!still) throw new Error("The browser made no picture.");
  saveFile(`${filename.replace(/\.[^.]*$/, "")} ${film.currentTime.toFixed(1)}.png`, still);
}
