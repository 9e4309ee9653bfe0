import { useEffect, useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Lightbox } from "../../ui/lightbox/lightbox.tsx";
import { toast } from "../../ui/toast.ts";
import type { ViewerProps } from "../file/props.ts";

interface EnlargedProps extends Pick<ViewerProps, "shown" | "file" | "neighbours"> {
  readonly onClose: () => void;
}

/** A picture over the whole window; in a folder the others are a step away, and closing leaves the page at the last one. */
export function Enlarged({ shown, file, neighbours, onClose }: EnlargedProps) {
  const pictures =
    neighbours?.files.filter(({ typeName }) => typeName === "image").map(({ filename }) => filename) ?? [];
  const [name, setName] = useState(file.filename);
  const [found, setFound] = useState({ name: file.filename, src: shown });
  const at = pictures.indexOf(name);
  const step = (by: 1 | -1) => setName(pictures[(at + by + pictures.length) % pictures.length] ?? name);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the folder is the same as long as its pictures are shown
  useEffect(() => {
    if (found.name === name) return;
    let left = false;
    const find = async () => {
      const src = name === file.filename ? shown : await neighbours?.addressOf(name);
      if (!left && src !== undefined) setFound({ name, src });
    };
    find().catch(() => toast({ tone: "error", text: t("shell.failure.network") }));
    return () => {
      left = true;
    };
  }, [name]);

  return (
    <Lightbox
      src={found.name === name ? found.src : undefined}
      alt={shownName(name)}
      onClose={() => {
        onClose();
        if (name !== file.filename) neighbours?.show(name, false);
      }}
      {...(at !== -1 && pictures.length > 1 ? { onStep: step, position: `${at + 1} / ${pictures.length}` } : {})}
    />
  );
}
