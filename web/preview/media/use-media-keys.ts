import { type RefObject, useEffect, useEffectEvent } from "react";

/** Seconds that an arrow leads on or back, and how much louder or softer one makes it. */
export const STEP = 10;
const LOUDER = 0.1;

interface MediaKeys {
  readonly media: RefObject<HTMLMediaElement | null>;
  /** The player with its tools: keys in it are its own. */
  readonly player: RefObject<HTMLElement | null>;
  /** Whether arrows mean something else on the page around the player. */
  readonly shared: boolean;
}

const own = "input, textarea, select, [contenteditable=true], dialog, [popover], [role=slider]";

/** The keys of a player: Space plays, arrows move ten seconds and change the volume, F is the whole screen, M is silence. */
export function useMediaKeys({ media, player, shared }: MediaKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const element = media.current;
    const { target, key } = event;
    if (!element || !(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || target.closest(own) || document.querySelector("dialog[open]")) return;
    const within = player.current?.contains(target) === true;
    if ((key === " " || key === "Enter") && target !== element && target.closest("button, a[href], summary")) return;
    if (!within && key.startsWith("Arrow") && (shared || key === "ArrowUp" || key === "ArrowDown")) return;
    const act = actOf(key, element, player.current);
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    // In front of the page's own keys, and of what the browser has the element do.
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen, true);
    return () => document.removeEventListener("keydown", listen, true);
  }, []);
}

function actOf(key: string, media: HTMLMediaElement, player: HTMLElement | null): (() => void) | undefined {
  const seek = (by: number) => () => {
    const end = Number.isFinite(media.duration) ? media.duration : Number.POSITIVE_INFINITY;
    media.currentTime = Math.min(end, Math.max(0, media.currentTime + by));
  };
  const louder = (by: number) => () => {
    media.volume = Math.min(1, Math.max(0, Math.round((media.volume + by) * 10) / 10));
  };
  const acts: Readonly<Record<string, () => void>> = {
    " ": () => (media.paused ? void media.play().catch(() => undefined) : media.pause()),
    ArrowRight: seek(STEP),
    ArrowLeft: seek(-STEP),
    ArrowUp: louder(LOUDER),
    ArrowDown: louder(-LOUDER),
    m: () => {
      media.muted = !media.muted;
    },
    ...(media instanceof HTMLVideoElement && { f: () => fullScreen(player) }),
  };
  return acts[key.toLowerCase()] ?? acts[key];
}

/** The player over the whole screen, or back. */
export function fullScreen(player: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void player?.requestFullscreen?.();
}
