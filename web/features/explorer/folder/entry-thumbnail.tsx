import { useState } from "react";
import type { PictureFacts } from "#contract/files";
import { classes } from "../../../lib/classes.ts";
import { isDecodable } from "../../../lib/pixels.ts";
import { Skeleton } from "../../../ui/card.tsx";
import { useColours } from "../../../ui/file/thumb-hash.ts";
import type { Entry } from "../model/entry.ts";
import { EntryIcon } from "./entry-parts.tsx";
import { hasThumbnail, useThumbnail } from "./previews.ts";

interface SmallPictureProps {
  readonly src: string;
  readonly facts?: PictureFacts | undefined;
  /** Called with the picture once it is there. */
  readonly onShow?: (picture: HTMLImageElement) => void;
  /** It did not load, or is too large to be drawn. */
  readonly onFail: () => void;
  /** Whether it is a page, whose top says most, and which is as white as what is behind it. */
  readonly isPage?: boolean;
  readonly className?: string;
}

/** A picture as a small look; its colours until it has loaded, and not drawn before its size is known. */
export function EntryThumbnail({ src, facts, onShow, onFail, isPage = false, className }: SmallPictureProps) {
  const [loaded, setLoaded] = useState<string>();
  const colours = useColours(facts);
  return (
    <span
      style={loaded === src ? undefined : colours}
      className={classes("block size-full overflow-hidden bg-sunken", isPage && "border border-line", className)}
    >
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
        className={classes("size-full object-cover", isPage && "object-top", loaded !== src && "invisible")}
      />
    </span>
  );
}

/** In place of a picture whose address is not known yet. */
export function Waiting({ facts }: Pick<SmallPictureProps, "facts">) {
  const colours = useColours(facts);
  return colours ? (
    <div aria-hidden style={colours} className="size-full" />
  ) : (
    <Skeleton className="size-full rounded-none" />
  );
}

interface LookProps {
  readonly entry: Entry;
  /** The size of the place; the sign for a kind is as large as `icon` says. */
  readonly className: string;
  readonly icon: string;
}

/** A small look at a picture beside its name, or a sign for the kind. */
export function EntryLook({ entry, className, icon }: LookProps) {
  const { src, isPage, onFail } = useThumbnail(entry);
  const [failed, setFailed] = useState<string>();
  const isShown = src !== undefined && src !== failed;
  const waits = !isShown && failed === undefined && hasThumbnail(entry) && entry.picture !== undefined;
  return (
    <span className={classes("grid shrink-0 place-items-center overflow-hidden rounded", className)}>
      {isShown ? (
        <EntryThumbnail
          {...{ src, isPage }}
          facts={entry.picture}
          onFail={() => onFail() || setFailed(src)}
          className="rounded"
        />
      ) : waits ? (
        <Waiting facts={entry.picture} />
      ) : (
        <EntryIcon entry={entry} className={icon} />
      )}
    </span>
  );
}
