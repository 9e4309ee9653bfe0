import { type ComponentProps, type ComponentType, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import type { Lightbox } from "../../ui/lightbox/lightbox.tsx";
import { Skeleton } from "../../ui/surface.tsx";
import { toast } from "../../ui/toast.ts";
import { fitting, Stage } from "./stage.tsx";
import { Unshown } from "./unshown.tsx";

interface ImagePreviewProps {
  readonly src: string;
  readonly name: string;
  /** Told when it does not load; answers whether it is fetched another way. */
  readonly onFail: () => boolean;
}

type Enlarged = ComponentType<ComponentProps<typeof Lightbox>>;

/** A picture, as large as the window's rest allows; a press enlarges it. */
export function ImagePreview({ src, name, onFail }: ImagePreviewProps) {
  useLanguage();
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  const [large, setLarge] = useState<{ readonly Enlarged: Enlarged }>();
  const enlarge = async () => {
    try {
      const { Lightbox } = await import("../../ui/lightbox/lightbox.tsx");
      setLarge({ Enlarged: Lightbox });
    } catch {
      await toast({ tone: "error", text: t("shell.failure.network") });
    }
  };
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
        onClick={enlarge}
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
      {large ? <large.Enlarged src={src} alt={name} onClose={() => setLarge(undefined)} /> : null}
    </Stage>
  );
}
