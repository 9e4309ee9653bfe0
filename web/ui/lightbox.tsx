import X from "lucide-react/icons/x";
import { useLayoutEffect, useRef, useState } from "react";
import { t, useLanguage } from "../i18n/i18n.ts";
import { classes } from "../lib/classes.ts";
import { IconButton } from "./button.tsx";
import { useModal } from "./dialog.tsx";

interface LightboxProps {
  readonly src: string;
  /** Says what is to be seen, and names the dialog. */
  readonly alt: string;
  /** What a press on the picture does. */
  readonly zoomLabel: string;
  /** Esc, the close button. */
  readonly onClose: () => void;
}

/** A picture over the whole window; a press on it changes between all of it and its own size. Mount it to open it. */
export function Lightbox({ src, alt, zoomLabel, onClose }: LightboxProps) {
  useLanguage();
  const { ref, shown } = useModal();
  const [full, setFull] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  // A picture larger than the window is seen from its middle.
  useLayoutEffect(() => {
    const { current } = area;
    if (!full || !current) return;
    current.scrollLeft = (current.scrollWidth - current.clientWidth) / 2;
    current.scrollTop = (current.scrollHeight - current.clientHeight) / 2;
  }, [full]);
  return (
    <dialog
      ref={ref}
      aria-label={alt}
      className="fixed inset-0 m-0 h-dvh max-h-none w-screen max-w-none bg-sunken p-0 text-text"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close a dialog for good when Esc is pressed twice, whatever was prevented.
      onClose={() => shown.current && ref.current?.open === false && onClose()}
    >
      <div ref={area} className="flex size-full overflow-auto">
        <button
          type="button"
          data-autofocus
          aria-label={zoomLabel}
          aria-pressed={full}
          onClick={() => setFull(!full)}
          className={classes("m-auto outline-offset-[-4px]", full ? "cursor-zoom-out" : "size-full cursor-zoom-in")}
        >
          <img
            src={src}
            alt={alt}
            className={classes("checkered", full ? "max-w-none" : "m-auto max-h-full max-w-full object-contain")}
          />
        </button>
      </div>
      <div className="fixed top-3 right-3 rounded-lg bg-raised shadow-float">
        <IconButton label={t("shell.actions.close")} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
    </dialog>
  );
}
