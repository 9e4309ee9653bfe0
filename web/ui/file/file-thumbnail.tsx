import Lock from "lucide-react/icons/lock";
import { useState } from "react";
import type { FileRecord } from "#contract/files";
import { fileThumb } from "../../api/file-thumb.ts";
import { classes } from "../../lib/classes.ts";
import { FileIcon } from "./file-icon.tsx";
import { useColours } from "./thumb-hash.ts";

/** A small look at a shared picture for its owner, or a sign for the kind; a share that counts views shows only the sign. */
export function FileThumbnail({ file }: { readonly file: FileRecord }) {
  const { filename, typeName, picture, max_views, file_gone, expires_at, sealed } = file;
  const [state, setState] = useState<{ readonly src: string; readonly is: "loaded" | "failed" }>();
  const colours = useColours(picture);
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now();
  const isDrawn = typeName === "image" && max_views === 0 && !file_gone && !isOver;
  const src = isDrawn ? fileThumb(file, "320") : undefined;
  const is = state !== undefined && state.src === src ? state.is : "waiting";
  const isShown = src !== undefined && is !== "failed";
  return (
    <span
      style={isShown && is === "waiting" ? colours : undefined}
      className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-lg bg-sunken text-muted"
    >
      {isShown ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setState({ src, is: "loaded" })}
          onError={() => setState({ src, is: "failed" })}
          className={classes("size-full object-cover", is === "waiting" && "invisible")}
        />
      ) : sealed ? (
        <Lock aria-hidden className="size-5" />
      ) : (
        <FileIcon type={typeName} filename={filename} className="size-5" />
      )}
    </span>
  );
}
