import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { createStore } from "../../../lib/store.ts";

/** Where somebody was in a folder. */
interface Position {
  /** Of the scroll, in pixels. */
  readonly top: number;
  readonly focus: string | undefined;
}

/** Entries of the history that are remembered. */
const MOST = 200;

/** Where somebody was, by entry of the history; gone with the page. */
const positions = createStore<ReadonlyMap<string, Position>>(new Map());

const note = (key: string, change: Partial<Position>): void => {
  const before = positions.get().get(key) ?? { top: 0, focus: undefined };
  const others = [...positions.get()].filter(([other]) => other !== key).slice(1 - MOST);
  positions.set(new Map([...others, [key, { ...before, ...change }]]));
};

/** Where somebody was in the folder to which Back or Forward has just led; undefined when they come anew. */
export function useReturn(): Position | undefined {
  const { key } = useLocation();
  const type = useNavigationType();
  return type === "POP" ? positions.get().get(key) : undefined;
}

interface Place {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The entry that the keyboard is on. */
  readonly focus: string | undefined;
  /** How many entries are there: a long listing grows. */
  readonly count: number;
}

/** Notes where somebody is in a folder, and brings them back there when they return to it by the history. */
export function usePosition({ scroller, focus, count }: Place): void {
  const { key } = useLocation();
  const back = useReturn();
  const first = useRef(key);
  const wanted = useRef(back?.top);

  // Before what is seen is measured, and again while more of the listing comes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has come makes room to scroll.
  useLayoutEffect(() => {
    const place = scroller.current;
    if (!place || wanted.current === undefined) return;
    place.scrollTop = wanted.current;
    if (place.scrollTop >= wanted.current - 1) wanted.current = undefined;
  }, [scroller, count]);

  useEffect(() => {
    const place = scroller.current;
    if (!place) return;
    const look = () => {
      // What is shown before it is all there moves nobody.
      if (wanted.current === undefined) note(first.current, { top: place.scrollTop });
    };
    const leave = () => {
      wanted.current = undefined;
    };
    place.addEventListener("scroll", look, { passive: true });
    for (const act of ["wheel", "touchmove", "keydown"]) place.addEventListener(act, leave, { passive: true });
    return () => {
      place.removeEventListener("scroll", look);
      for (const act of ["wheel", "touchmove", "keydown"]) place.removeEventListener(act, leave);
    };
  }, [scroller]);

  useEffect(() => note(first.current, { focus }), [focus]);
}
