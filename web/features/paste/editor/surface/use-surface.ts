import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { loadWords } from "../../../../i18n/i18n.ts";
import { type EditorMode, isLong, surfaceFor } from "../mode.ts";
import { PlainSurface } from "./plain-surface.tsx";
import type { EditorSurface, Start, Surface } from "./surface.ts";

type Loader = () => Promise<Surface>;

/** The editor that travels only when wanted, with its words. */
const codeSurface: Loader = async () => {
  const [{ CodeSurface }] = await Promise.all([import("./code-surface.tsx"), loadWords("editing")]);
  return CodeSurface;
};

/**
 * Reports whether code can come at all: from the network, or from the worker that has it. It is not asked for where it cannot, because some
 * browsers remember until the page is loaded anew that it did not come.
 */
const mayCome = (): boolean => navigator.onLine || Boolean(navigator.serviceWorker?.controller);

interface Shown {
  readonly Surface: Surface;
  readonly kind: "code" | "plain";
  readonly start?: Start;
}

interface SurfaceControl {
  readonly shown: Shown;
  readonly loading: boolean;
  /** The text is too long for the editor that is shown: it would hold up the page for many seconds. */
  readonly withheld: boolean;
  /** The wanted editor could not be loaded; the plain one stays. */
  readonly failed: boolean;
  /** Somebody has just chosen a mode, also the one there is: an editor that did not load is tried again. */
  readonly chosen: () => void;
  readonly surface: RefObject<EditorSurface | null>;
}

const placeOf = (surface: EditorSurface): Start => ({
  caret: surface.caret(),
  scrolled: surface.scrolled(),
  focus: surface.focused(),
});

const idle = (run: () => void): (() => void) => {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run, 300);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(run, { timeout: 2000 });
  return () => cancelIdleCallback(id);
};

/** Milliseconds until the first try by itself, and at most until another one. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [2000, 60_000];

/**
 * Tries again when the connection is back, and after longer and longer pauses as well: a browser may say that it is back before anything
 * comes through.
 */
function useRetries(failed: boolean, attempt: number, again: () => void): void {
  const pause = useRef(FIRST_PAUSE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt has a pause behind it
  useEffect(() => {
    if (!failed) {
      pause.current = FIRST_PAUSE;
      return;
    }
    const timer = setTimeout(again, pause.current);
    pause.current = Math.min(pause.current * 2, LONGEST_PAUSE);
    addEventListener("online", again);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", again);
    };
  }, [failed, attempt, again]);
}

/**
 * Which editor is shown: a text area with the first paint, the chosen one as soon as it is loaded, with caret, scroll and focus
 * taken over. Who did not ask for it right now gets it when the browser has nothing better to do.
 */
export function useSurface(mode: EditorMode, characters: number, load: Loader = codeSurface): SurfaceControl {
  const [shown, setShown] = useState<Shown>({ Surface: PlainSurface, kind: "plain" });
  const [failedKind, setFailedKind] = useState<Shown["kind"]>();
  const [attempt, setAttempt] = useState(0);
  const surface = useRef<EditorSurface>(null);
  const asked = useRef(false);
  /** Where the writer was: a long text is taken from its editor before the next one is there. */
  const place = useRef<Shown["start"]>(undefined);
  const long = isLong(characters);
  const wanted = surfaceFor(mode, characters);
  // Read while it still stands: what this renders may no longer have the old editor in it.
  if (wanted !== shown.kind && surface.current) place.current = placeOf(surface.current);

  const take = useCallback((Next: Surface, kind: Shown["kind"]) => {
    const from = surface.current ? placeOf(surface.current) : place.current;
    const start = from ? { ...from, shown: surface.current?.shown?.(), focus: asked.current || from.focus } : undefined;
    asked.current = false;
    // In one go: a key pressed between the old editor and the new one would be lost.
    flushSync(() => setShown({ Surface: Next, kind, ...(start ? { start } : {}) }));
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing again tries again
  useEffect(() => {
    if (wanted === shown.kind) return;
    let left = false;
    const change = async () => {
      try {
        if (wanted !== "plain" && !mayCome()) throw new Error("There is no connection.");
        const Next = wanted === "plain" ? PlainSurface : await load();
        await surface.current?.settled();
        if (!left) take(Next, wanted);
      } catch {
        // Offline, or a new version is out: writing goes on in the editor that is there, until the connection is back.
        if (!left) setFailedKind(wanted);
      }
    };
    const cancel = asked.current || wanted === "plain" || long ? void change() : idle(change);
    return () => {
      left = true;
      cancel?.();
    };
  }, [wanted, shown.kind, take, load, long, attempt]);

  const again = useCallback(() => setAttempt((before) => before + 1), []);
  const chosen = () => {
    asked.current = true;
    setFailedKind(undefined);
    again();
  };

  const failed = failedKind === wanted && wanted !== shown.kind;
  useRetries(failed, attempt, again);
  const loading = wanted !== shown.kind && !failed;
  return { shown, loading, withheld: loading && long, failed, chosen, surface };
}
