import { useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { fitting, Stage } from "./stage.tsx";
import { Unshown } from "./unshown.tsx";

interface VideoPreviewProps {
  readonly src: string;
  readonly name: string;
  /** Told when it does not load; answers whether it is fetched another way. */
  readonly onFail: () => boolean;
}

/** A film with the browser's own controls; only its beginning is fetched until somebody plays it. */
export function VideoPreview({ src, name, onFail }: VideoPreviewProps) {
  useLanguage();
  const [failed, setFailed] = useState(false);
  return (
    <Stage>
      {failed ? (
        <Unshown text={t("file.view.unplayable")} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: whoever shared it gave no captions
        <video
          controls
          playsInline
          preload="metadata"
          src={src}
          aria-label={name}
          onError={() => onFail() || setFailed(true)}
          className={`aspect-video w-full ${fitting}`}
        />
      )}
    </Stage>
  );
}
