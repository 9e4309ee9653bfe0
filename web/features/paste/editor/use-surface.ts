import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { browserStorage } from "../../../lib/storage.ts";
import { type EditorMode, savedMode, saveMode, surfaceFor } from "./mode.ts";
import { PlainSurface } from "./plain-surface.tsx";
import type { Caret, EditorSurface, Surface } from "./surface.ts";

type Loaders = Readonly<Record<"rich" | "large", () => Promise<Surface>>>;

/** The editors that travel only when wanted. */
const editors: Loaders = {
  rich: async () => (await import("./rich-surface.tsx")).RichSurface,
  large: async () => (await import("./large-surface.tsx")).LargeSurface,
};

interface Shown {
  readonly Surface: Surface;
  readonly kind: "rich" | "plain" | "large";
  readonly start?: { readonly caret: Caret; readonly focus: boolean };
}

interface SurfaceControl {
  readonly shown: Shown;
  readonly mode: EditorMode;
  readonly loading: boolean;
  /** The text is too long for the editor that is shown: it would hold up the page for many seconds. */
  readonly withheld: boolean;
  /** The wanted editor could not be loaded; the plain one stays. */
  readonly failed: boolean;
  readonly choose: (mode: EditorMode) => void;
  readonly surface: RefObject<EditorSurface | null>;
}

const placeOf = (surface: EditorSurface) => ({ caret: surface.caret(), focus: surface.focused() });

const idle = (run: () => void): (() => void) => {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run, 300);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(run, { timeout: 2000 });
  return () => cancelIdleCallback(id);
};

/**
 * Which editor is shown: the plain one with the first paint, the chosen one as soon as it is loaded, with caret and focus taken
 * over. Someone who chose Markdown on an earlier visit gets it when the browser has nothing better to do.
 */
export function useSurface(characters: number, loaders: Loaders = editors): SurfaceControl {
  const [mode, setMode] = useState<EditorMode>(() => savedMode(browserStorage));
  const [shown, setShown] = useState<Shown>({ Surface: PlainSurface, kind: "plain" });
  const [failedKind, setFailedKind] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const surface = useRef<EditorSurface>(null);
  const chosen = useRef(false);
  /** Where the writer was: a long text is taken from its editor before the next one is there. */
  const place = useRef<Shown["start"]>(undefined);
  const wanted = surfaceFor(mode, characters);
  // Read while it still stands: what this renders may no longer have the old editor in it.
  if (wanted !== shown.kind && surface.current) place.current = placeOf(surface.current);

  const take = useCallback((Next: Surface, kind: Shown["kind"]) => {
    const from = surface.current ? placeOf(surface.current) : place.current;
    const start = from ? { caret: from.caret, focus: chosen.current || from.focus } : undefined;
    chosen.current = false;
    // In one go: a key pressed between the old editor and the new one would be lost.
    flushSync(() => setShown({ Surface: Next, kind, ...(start ? { start } : {}) }));
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing again tries again
  useEffect(() => {
    if (wanted === shown.kind) return;
    let left = false;
    const load = async () => {
      try {
        const Next = wanted === "plain" ? PlainSurface : await loaders[wanted]();
        await surface.current?.settled();
        if (!left) take(Next, wanted);
      } catch {
        // Offline, or a new version is out: writing goes on in the editor that is there.
        if (!left) setFailedKind(wanted);
      }
    };
    const cancel = chosen.current || wanted !== "rich" ? void load() : idle(load);
    return () => {
      left = true;
      cancel?.();
    };
  }, [wanted, shown.kind, take, loaders, attempt]);

  const choose = (next: EditorMode) => {
    chosen.current = true;
    setFailedKind(undefined);
    setAttempt((before) => before + 1);
    saveMode(browserStorage, next);
    setMode(next);
  };

  const failed = failedKind === wanted && wanted !== shown.kind;
  const loading = wanted !== shown.kind && !failed;
  return { shown, mode, loading, withheld: loading && wanted === "large", failed, choose, surface };
}
