import { useState } from "react";
import { classes } from "../../../lib/classes.ts";
import { isDecodable } from "../../../lib/pixels.ts";

interface SmallPictureProps {
  readonly src: string;
  /** Called with the picture once it is there. */
  readonly onShow?: (picture: HTMLImageElement) => void;
  /** It did not load, or is too large to be drawn. */
  readonly onFail: () => void;
  readonly className?: string;
}

/** A picture as a small look; not drawn before its size is known. */
export function EntryThumbnail({ src, onShow, onFail, className }: SmallPictureProps) {
  const [loaded, setLoaded] = useState<string>();
  return (
    <img
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={({ currentTarget }) => {
        if (!isDecodable(currentTarget)) return onFail();
        setLoaded(src);
        onShow?.(currentTarget);
      }}
      onError={onFail}
      className={classes("size-full bg-sunken object-cover", className, loaded !== src && "invisible")}
    />
  );
}
