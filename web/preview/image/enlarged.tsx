import { useEffect, useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Lightbox } from "../../ui/lightbox/lightbox.tsx";
import { toast } from "../../ui/toast/toast.ts";
import { PictureInfo } from "../camera/picture-info.tsx";
import type { ViewerProps } from "../file/props.ts";
import { useDrawable } from "./use-drawable.ts";

interface EnlargedProps extends Pick<ViewerProps, "shown" | "read" | "file" | "neighbours"> {
  /** A form of the first picture of 1280 pixels, drawn until somebody looks closer. */
  readonly small?: string | undefined;
  readonly onClose: () => void;
}

/** A picture over the whole window; in a folder the others are a step away, and closing leaves the page at the last one. */
export function Enlarged({ shown, read, small, file, neighbours, onClose }: EnlargedProps) {
  const pictures =
    neighbours?.files.filter(({ typeName }) => typeName === "image").map(({ filename }) => filename) ?? [];
  const [name, setName] = useState(file.filename);
  const own = { shown, read, filename: file.filename, mimetype: file.mimetype };
  const [found, setFound] = useState(own);
  const [missing, setMissing] = useState<string>();
  const drawable = useDrawable(found);
  const at = pictures.indexOf(name);
  const step = (by: 1 | -1) => setName(pictures[(at + by + pictures.length) % pictures.length] ?? name);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the folder is the same as long as its pictures are shown
  useEffect(() => {
    if (found.filename === name) return;
    let left = false;
    const find = async () => {
      const other = name === file.filename ? undefined : await neighbours?.find(name);
      if (left) return;
      if (name !== file.filename && !other) return setMissing(name);
      setFound(other ? { filename: name, shown: other.address, read: other.address, mimetype: other.mimetype } : own);
    };
    find().catch(() => {
      toast({ tone: "error", text: t("shell.failure.network") });
      setMissing(name);
    });
    return () => {
      left = true;
    };
  }, [name]);

  return (
    <Lightbox
      src={found.filename === name ? drawable.src : undefined}
      small={name === file.filename ? small : undefined}
      problem={found.filename === name ? drawable.problem : missing === name ? "failed" : undefined}
      alt={shownName(name)}
      info={<PictureInfo name={name} read={found.filename === name ? found.read : undefined} />}
      onClose={() => {
        onClose();
        if (name !== file.filename) neighbours?.show(name, false);
      }}
      {...(at !== -1 && pictures.length > 1 ? { onStep: step, position: `${at + 1} / ${pictures.length}` } : {})}
    />
  );
}
