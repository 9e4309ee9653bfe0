import { type PointerEvent, useEffect, useRef } from "react";

/** How long a finger rests until it counts as a long press, in milliseconds, and how far it may stray, in pixels. */
const LONG_PRESS = { after: 500, within: 10 } as const;

interface Press {
  readonly x: number;
  readonly y: number;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Tells when a finger rests on something: what a right click is to a mouse. The tap that follows when it is lifted belongs to
 * the press; `wasLong` answers once that it is none of its own.
 */
export function useLongPress(onLong: (target: Element, at: DOMRect) => void) {
  const press = useRef<Press>(undefined);
  const long = useRef(false);
  const kind = useRef("mouse");

  const stop = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);

  return {
    /** The kind of the last pointer: mouse, touch or pen. */
    kind: () => kind.current,
    wasLong(): boolean {
      const was = long.current;
      long.current = false;
      return was;
    },
    /** A long press is open: the browser's own context menu says the same once more. */
    isLong: () => long.current,
    handlers: {
      onPointerDown(event: PointerEvent) {
        kind.current = event.pointerType;
        long.current = false;
        stop();
        const { target, clientX: x, clientY: y } = event;
        if (event.pointerType === "mouse" || !(target instanceof Element)) return;
        const timer = setTimeout(() => {
          press.current = undefined;
          long.current = true;
          onLong(target, new DOMRect(x, y, 0, 0));
        }, LONG_PRESS.after);
        press.current = { x, y, timer };
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const began = press.current;
        if (began && Math.hypot(clientX - began.x, clientY - began.y) > LONG_PRESS.within) stop();
      },
      onPointerUp: stop,
      onPointerCancel: stop,
    },
  };
}
