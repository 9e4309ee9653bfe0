import Mirror from "lucide-react/icons/carets-to-axis-dashed-vertical";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import Info from "lucide-react/icons/info";
import RotateCw from "lucide-react/icons/rotate-cw";
import X from "lucide-react/icons/x";
import ZoomIn from "lucide-react/icons/zoom-in";
import ZoomOut from "lucide-react/icons/zoom-out";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { type DrawingProblem, drawingProblems, isDecodable, mayBeTransparent } from "../../lib/pixels.ts";
import { IconButton } from "../button.tsx";
import { Skeleton } from "../card.tsx";
import { useModal } from "../overlay/dialog.tsx";
import { useGestures } from "./gestures.ts";
import { fitting, flipped, type Pose, SCALE, transformOf, turned, zoomed } from "./pose.ts";
import { useSmallFirst } from "./small-first.ts";

interface LightboxProps {
  /** undefined while nobody knows where it is. */
  readonly src: string | undefined;
  /** A form of it of 1280 pixels, drawn in its place until somebody looks closer. */
  readonly small?: string | undefined;
  /** Why it cannot be drawn. */
  readonly problem?: DrawingProblem | undefined;
  /** Says what is to be seen, and names the dialog. */
  readonly alt: string;
  /** Esc, the close button. */
  readonly onClose: () => void;
  /** To the next picture (1) or the one before (-1), when there are several. */
  readonly onStep?: (by: 1 | -1) => void;
  /** Which one it is of how many. */
  readonly position?: string;
  /** What there is to know about it, shown on request. */
  readonly info?: ReactNode;
  /** In place of a picture that did not load. */
  readonly onFail?: () => void;
}

/** A picture over the whole window: it can be enlarged, turned, mirrored, and left for the next one. Mount it to open it. */
export function Lightbox({ src, small, problem, alt, onClose, onStep, position, info, onFail }: LightboxProps) {
  useLanguage();
  const { ref, shown } = useModal();
  const [pose, setPose] = useState<Pose>(fitting);
  const [informed, setInformed] = useState(false);
  const step = (by: 1 | -1) => {
    setPose(fitting);
    onStep?.(by);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowRight") step(1);
    else if (key === "ArrowLeft") step(-1);
    else if (key === "+" || key === "=") setPose((now) => zoomed(now, SCALE.step));
    else if (key === "-") setPose((now) => zoomed(now, 1 / SCALE.step));
    else if (key === "0") setPose(fitting);
    else if (key === "r") setPose(turned);
    else if (key === "f") setPose(flipped);
    else if (key === "i" && info) setInformed(!informed);
  };

  return (
    <dialog
      ref={ref}
      aria-label={alt}
      className="fixed inset-0 m-0 h-dvh max-h-none w-screen max-w-none overflow-hidden bg-sunken p-0 text-text"
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close a dialog for good when Esc is pressed twice, whatever was prevented.
      onClose={() => shown.current && ref.current?.open === false && onClose()}
    >
      <Picture {...{ src, small, problem, alt, pose, setPose, onFail }} onSwipe={step} />
      <header className="absolute inset-x-0 top-0 flex items-center gap-2 p-3">
        <p className="min-w-0 truncate rounded-lg bg-raised px-3 py-1.5 shadow-float">
          <bdi className="font-medium">{alt}</bdi>
          {position && <span className="ml-2 text-muted tabular-nums">{position}</span>}
        </p>
        <div className="ml-auto flex rounded-lg bg-raised shadow-float">
          {info && (
            <IconButton label={t("file.lightbox.info")} aria-pressed={informed} onClick={() => setInformed(!informed)}>
              <Info aria-hidden />
            </IconButton>
          )}
          <IconButton label={t("shell.actions.close")} onClick={onClose} data-autofocus>
            <X aria-hidden />
          </IconButton>
        </div>
      </header>
      {informed && info && (
        <aside className="absolute top-16 right-3 w-72 max-w-[calc(100vw-24px)] rounded-xl bg-raised p-4 shadow-float">
          {info}
        </aside>
      )}
      <Tools {...{ pose, setPose }} onStep={onStep && step} />
    </dialog>
  );
}

interface PictureProps extends Pick<LightboxProps, "src" | "small" | "problem" | "alt" | "onFail"> {
  readonly pose: Pose;
  readonly setPose: (change: (pose: Pose) => Pose) => void;
  readonly onSwipe: (by: 1 | -1) => void;
}

/** The picture as it is posed, or why it cannot be drawn. */
function Picture({ src: whole, small, problem, alt, pose, setPose, onSwipe, onFail }: PictureProps) {
  const gestures = useGestures({ pose, onPose: setPose, onSwipe });
  const { src, onVain } = useSmallFirst({ whole, small, isClose: pose.scale > 1 });
  const [shape, setShape] = useState({ id: "", shrink: 1, isDecodable: true });
  const [failedSrc, setFailedSrc] = useState<string>();
  // Both forms are one picture.
  const id = small ?? whole;
  const loaded = id !== undefined && shape.id === id;
  const failed = whole !== undefined && failedSrc === whole ? "failed" : undefined;
  const trouble = problem ?? failed ?? (loaded && !shape.isDecodable ? "tooLarge" : undefined);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons and keys do what the gestures do
    <div
      {...gestures}
      onDoubleClick={(event) => {
        const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
        const at = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 };
        setPose((now) => (now.scale === 1 ? zoomed(now, 3, at) : { ...now, scale: 1, x: 0, y: 0 }));
      }}
      className={classes(
        "grid size-full touch-none select-none place-items-center overflow-hidden p-4 py-16",
        pose.scale > 1 ? "cursor-grab active:cursor-grabbing" : "cursor-zoom-in",
      )}
    >
      {src !== undefined && !trouble && (
        <img
          key={id}
          src={src}
          alt={alt}
          draggable={false}
          onLoad={({ currentTarget }) =>
            setShape({ id: id ?? "", shrink: shrinkOf(currentTarget), isDecodable: isDecodable(currentTarget) })
          }
          onError={() => {
            if (onVain()) return;
            setFailedSrc(whole);
            onFail?.();
          }}
          style={{ transform: transformOf(pose, shape.shrink) }}
          className={classes(
            "max-h-full min-h-0 max-w-full object-contain",
            mayBeTransparent(alt) && "checkered",
            !loaded && "invisible",
          )}
        />
      )}
      {trouble ? (
        <p role="alert" className="max-w-[42ch] text-balance text-center text-muted">
          {t(drawingProblems[trouble])}
        </p>
      ) : loaded ? null : (
        <Skeleton className="absolute size-40 rounded-xl" />
      )}
    </div>
  );
}

/** What a picture on its side is made smaller by, so that all of it stays in the window. */
function shrinkOf({ clientWidth, clientHeight, parentElement }: HTMLImageElement): number {
  if (!parentElement || clientWidth === 0 || clientHeight === 0) return 1;
  return Math.min(1, (parentElement.clientWidth - 32) / clientHeight, (parentElement.clientHeight - 128) / clientWidth);
}

interface ToolsProps {
  readonly pose: Pose;
  readonly setPose: (change: (pose: Pose) => Pose) => void;
  readonly onStep: ((by: 1 | -1) => void) | undefined;
}

function Tools({ pose, setPose, onStep }: ToolsProps) {
  useLanguage();
  return (
    <div
      role="toolbar"
      aria-label={t("file.lightbox.tools")}
      className="absolute bottom-[max(12px,env(safe-area-inset-bottom))] left-1/2 flex -translate-x-1/2 items-center rounded-lg bg-raised shadow-float"
    >
      {onStep && (
        <IconButton label={t("file.lightbox.previous")} onClick={() => onStep(-1)}>
          <ChevronLeft aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={t("file.lightbox.smaller")}
        disabled={pose.scale <= SCALE.least}
        onClick={() => setPose((now) => zoomed(now, 1 / SCALE.step))}
      >
        <ZoomOut aria-hidden />
      </IconButton>
      <button
        type="button"
        title={t("file.lightbox.whole")}
        onClick={() => setPose((now) => ({ ...now, scale: 1, x: 0, y: 0 }))}
        className="h-9 w-14 rounded-lg text-[13px] text-muted tabular-nums hover:bg-sunken hover:text-text pointer-coarse:h-11"
      >
        <span className="sr-only">{t("file.lightbox.whole")} · </span>
        {Math.round(pose.scale * 100)}%
      </button>
      <IconButton
        label={t("file.lightbox.larger")}
        disabled={pose.scale >= SCALE.most}
        onClick={() => setPose((now) => zoomed(now, SCALE.step))}
      >
        <ZoomIn aria-hidden />
      </IconButton>
      <IconButton label={t("file.lightbox.turn")} onClick={() => setPose(turned)}>
        <RotateCw aria-hidden />
      </IconButton>
      <IconButton label={t("file.lightbox.mirror")} aria-pressed={pose.flipped} onClick={() => setPose(flipped)}>
        <Mirror aria-hidden />
      </IconButton>
      {onStep && (
        <IconButton label={t("file.lightbox.next")} onClick={() => onStep(1)}>
          <ChevronRight aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
