import { useState } from "react";
import type { PictureFacts } from "#contract/files";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { drawingProblems, isDecodable, mayBeTransparent } from "../../lib/pixels.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/card.tsx";
import { useColours } from "../../ui/file/thumb-hash.ts";
import { loadOrTell } from "../../ui/toast/load-or-tell.ts";
import { NoPreview } from "../file/no-preview.tsx";
import type { ViewerProps } from "../file/props.ts";
import { fitting, Stage } from "../file/stage.tsx";
import type { Enlarged } from "./enlarged.tsx";
import { isHeic, useDrawable } from "./use-drawable.ts";

/** Pixels that the smaller form has across at most; it is at most twice as high. */
const SMALL_WIDTH = 1280;

/** An empty picture in the shape of the smaller form, which keeps its place. */
function shapeOf({ width, height }: PictureFacts): string {
  const scale = Math.min(1, SMALL_WIDTH / width, (2 * SMALL_WIDTH) / height);
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}"/>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

/** A picture, as large as the window's rest allows; a press enlarges it. */
export function ImageViewer({ shown, read, file, small, onFail, neighbours }: ViewerProps) {
  useLanguage();
  const [vain, setVain] = useState<string>();
  const colours = useColours(small?.facts);
  const isSmall = small !== undefined && vain !== small.src;
  // Nothing is decoded that is not looked at.
  const waits = isSmall && isHeic(file);
  const { src: whole, problem, showAnyway, arrived } = useDrawable({ shown, read: waits ? undefined : read, ...file });
  const src = isSmall ? small.src : whole;
  const name = shownName(file.filename);
  const [state, setState] = useState<"loading" | "shown" | "failed" | "tooLarge">(small?.isThere ? "shown" : "loading");
  const [large, setLarge] = useState<{ readonly Large: typeof Enlarged }>();
  const enlarge = async () => {
    const code = await loadOrTell(() => import("./enlarged.tsx"));
    if (code) setLarge({ Large: code.Enlarged });
  };
  const trouble = problem ?? (state === "failed" || state === "tooLarge" ? state : undefined);
  if (trouble) {
    return (
      <Stage>
        {showAnyway ? (
          <NoPreview
            text={t("file.view.drawingHeavy")}
            action={<Button onClick={showAnyway}>{t("file.view.showAnyway")}</Button>}
          />
        ) : (
          <NoPreview text={t(drawingProblems[trouble])} />
        )}
      </Stage>
    );
  }
  return (
    <Stage className={small?.facts ? undefined : "flex-1"}>
      {state === "loading" && !small?.facts ? <Skeleton className="absolute inset-0 rounded-none" /> : null}
      {state === "loading" && arrived !== undefined && <Arrived bytes={arrived} of={file.size} />}
      <button
        type="button"
        aria-label={t("file.view.enlarge", { name })}
        onClick={enlarge}
        disabled={state === "loading"}
        className="flex w-full cursor-zoom-in items-center justify-center p-3 pointer-coarse:min-h-11 outline-offset-[-4px]"
      >
        {state === "loading" && small?.facts && (
          <img src={shapeOf(small.facts)} alt="" style={colours} className={`max-w-full ${fitting}`} />
        )}
        <img
          src={src}
          alt={name}
          onLoad={({ currentTarget }) => setState(isDecodable(currentTarget) ? "shown" : "tooLarge")}
          onError={() => {
            if (isSmall) setVain(small.src);
            setState(isSmall || onFail() ? "loading" : "failed");
          }}
          // A browser unpacks a picture when it draws it: until its size is known it is not drawn.
          className={
            state === "loading"
              ? "hidden"
              : classes(mayBeTransparent(name) && "checkered", "relative max-w-full object-contain", fitting)
          }
        />
      </button>
      {large ? (
        <large.Large
          {...{ shown, read, file, neighbours }}
          small={isSmall ? small.src : undefined}
          onClose={() => setLarge(undefined)}
        />
      ) : null}
    </Stage>
  );
}

/** How much has come of a picture that is decoded when all of it is there. */
function Arrived({ bytes, of }: { readonly bytes: number; readonly of: number }) {
  const language = useLanguage();
  const [come, whole] = [bytes, of].map((size) => formatBytes(size, language));
  return (
    <p role="status" className="absolute inset-x-4 bottom-4 text-center text-[13px] text-muted tabular-nums">
      {bytes < of ? t("file.view.imageArrives", { come: come ?? "", whole: whole ?? "" }) : t("file.view.imageDecoded")}
    </p>
  );
}
