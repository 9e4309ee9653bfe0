import { useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Lightbox } from "../../../ui/lightbox.tsx";
import { Skeleton } from "../../../ui/surface.tsx";
import { fitting, Stage } from "./stage.tsx";
import { Unshown } from "./unshown.tsx";

interface ImagePreviewProps {
  readonly src: string;
  readonly name: string;
  /** Told when it does not load; answers whether it is fetched another way. */
  readonly onFail: () => boolean;
}

/** A picture, as large as the window's rest allows; a press enlarges it. */
export function ImagePreview({ src, name, onFail }: ImagePreviewProps) {
  useLanguage();
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  const [large, setLarge] = useState(false);
  if (state === "failed") {
    return (
      <Stage>
        <Unshown text={t("file.view.imageFailed")} />
      </Stage>
    );
  }
  return (
    <Stage className={state === "loading" ? "flex-1" : undefined}>
      {state === "loading" ? <Skeleton className="absolute inset-0 rounded-none" /> : null}
      <button
        type="button"
        aria-label={t("file.view.enlarge", { name })}
        onClick={() => setLarge(true)}
        disabled={state === "loading"}
        className="flex w-full cursor-zoom-in items-center justify-center p-3 outline-offset-[-4px]"
      >
        <img
          src={src}
          alt={name}
          onLoad={() => setState("shown")}
          onError={() => onFail() || setState("failed")}
          className={`checkered relative max-w-full object-contain ${fitting}`}
        />
      </button>
      {large ? <Lightbox src={src} alt={name} zoomLabel={t("file.view.zoom")} onClose={() => setLarge(false)} /> : null}
    </Stage>
  );
}
