import { useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { isDecodable } from "../../lib/pixels.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/surface.tsx";
import { toast } from "../../ui/toast.ts";
import { NoPreview } from "../file/no-preview.tsx";
import type { ViewerProps } from "../file/props.ts";
import { fitting, Stage } from "../file/stage.tsx";
import type { Enlarged } from "./enlarged.tsx";
import { useDrawable } from "./use-drawable.ts";

/** A picture, as large as the window's rest allows; a press enlarges it. */
export function ImageViewer({ shown, read, file, onFail, neighbours }: ViewerProps) {
  useLanguage();
  const { src, problem, showAnyway } = useDrawable({ shown, read, ...file });
  const name = shownName(file.filename);
  const [state, setState] = useState<"loading" | "shown" | "failed" | "tooLarge">("loading");
  const [large, setLarge] = useState<{ readonly Large: typeof Enlarged }>();
  const enlarge = async () => {
    try {
      const { Enlarged: Large } = await import("./enlarged.tsx");
      setLarge({ Large });
    } catch {
      await toast({ tone: "error", text: t("shell.failure.network") });
    }
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
          <NoPreview text={t(trouble === "failed" ? "file.view.imageFailed" : "file.view.imageTooLarge")} />
        )}
      </Stage>
    );
  }
  return (
    <Stage className={state === "loading" ? "flex-1" : undefined}>
      {state === "loading" ? <Skeleton className="absolute inset-0 rounded-none" /> : null}
      <button
        type="button"
        aria-label={t("file.view.enlarge", { name })}
        onClick={enlarge}
        disabled={state === "loading"}
        className="flex w-full cursor-zoom-in items-center justify-center p-3 pointer-coarse:min-h-11 outline-offset-[-4px]"
      >
        <img
          src={src}
          alt={name}
          onLoad={({ currentTarget }) => setState(isDecodable(currentTarget) ? "shown" : "tooLarge")}
          onError={() => onFail() || setState("failed")}
          // A browser unpacks a picture when it draws it: until its size is known it is not drawn.
          className={state === "loading" ? "hidden" : `checkered relative max-w-full object-contain ${fitting}`}
        />
      </button>
      {large ? <large.Large {...{ shown, read, file, neighbours }} onClose={() => setLarge(undefined)} /> : null}
    </Stage>
  );
}
