import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation } from "react-router-dom";
import { backGate } from "../../page/back-gate.ts";

/**
 * Holds the browser's Back and Forward while `held`: the page stays where it is, and `ask` is given what goes there after all.
 * The router in declarative mode has no word for it, but counts the entries that it makes as `idx` in their states.
 */
export function useBackGuard(held: boolean, ask: (leave: () => void) => void): void {
  const { key } = useLocation();
  const here = useRef<number>(undefined);
  const asked = useEffectEvent(ask);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each location has an entry of its own.
  useEffect(() => {
    here.current = indexIn(window.history.state);
  }, [key]);

  useEffect(() => {
    if (!held) return;
    let returning = false;
    let allowed = false;
    const onPop = (event: PopStateEvent) => {
      const home = here.current;
      const there = indexIn(event.state);
      if (allowed || home === undefined || there === undefined) return;
      // The router must not hear of it: it would show what is there.
      event.stopImmediatePropagation();
      const first = !returning;
      returning = there !== home;
      if (!returning) return;
      window.history.go(home - there);
      if (!first) return;
      asked(() => {
        allowed = true;
        window.history.go(there - home);
      });
    };
    backGate.set(onPop);
    return () => backGate.set(undefined);
  }, [held]);
}

/** Which entry of the router this is; undefined for one that it has not made. */
function indexIn(state: unknown): number | undefined {
  const index = typeof state === "object" && state !== null && "idx" in state ? state.idx : undefined;
  return typeof index === "number" ? index : undefined;
}
