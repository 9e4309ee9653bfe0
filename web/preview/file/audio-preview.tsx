import { useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { FileIcon } from "../../ui/file-kind/file-icon.tsx";
import { Card } from "../../ui/surface.tsx";
import type { Previewed } from "./kinds.ts";
import { Unshown } from "./unshown.tsx";

interface AudioPreviewProps {
  readonly src: string;
  readonly file: Pick<Previewed, "filename" | "typeName">;
  /** Told when it does not load; answers whether it is fetched another way. */
  readonly onFail: () => boolean;
}

/** A recording with the browser's own controls. */
export function AudioPreview({ src, file, onFail }: AudioPreviewProps) {
  useLanguage();
  const [failed, setFailed] = useState(false);
  return (
    <Card className="grid min-h-64 content-center justify-items-center gap-8 p-6 sm:p-10">
      {failed ? (
        <Unshown text={t("file.view.unplayable")} />
      ) : (
        <>
          <div className="grid size-24 place-items-center rounded-2xl bg-accent-soft text-accent">
            <FileIcon type={file.typeName} filename={file.filename} className="size-11" />
          </div>
          {/* biome-ignore lint/a11y/useMediaCaption: whoever shared it gave no captions */}
          <audio
            controls
            preload="metadata"
            src={src}
            aria-label={shownName(file.filename)}
            onError={() => onFail() || setFailed(true)}
            className="w-full max-w-xl"
          />
        </>
      )}
    </Card>
  );
}
