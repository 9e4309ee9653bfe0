import { type PointerEvent, useRef, type WheelEvent } from "react";
import { moved, type Pose, zoomed } from "./pose.ts";

/** How far a finger goes until it is a swipe, in pixels. */
const SWIPE = 60;

interface Held {
  readonly x: number;
  readonly y: number;
}

interface GestureParts {
  readonly pose: Pose;
  readonly onPose: (change: (pose: Pose) => Pose) => void;
  /** A swipe to the next picture (1) or the one before (-1). */
  readonly onSwipe: (by: 1 | -1) => void;
}

/** Wheel and two fingers zoom, one moves what is larger than the window; over a whole picture it is a swipe. */
export function useGestures({ pose, onPose, onSwipe }: GestureParts) {
  const held = useRef(new Map<number, Held>());
  const began = useRef<Held>(undefined);

  const fromMiddle = (event: { clientX: number; clientY: number; currentTarget: Element }) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 };
  };
  const spread = () => {
    const [one, other] = [...held.current.values()];
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
  };

  return {
    onWheel(event: WheelEvent) {
      const at = fromMiddle(event);
      onPose((now) => zoomed(now, Math.exp(-event.deltaY / 400), at));
    },
    onPointerDown(event: PointerEvent) {
      held.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      began.current = held.current.size === 1 ? { x: event.clientX, y: event.clientY } : undefined;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const before = held.current.get(event.pointerId);
      if (!before) return;
      const apart = spread();
      held.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (apart > 0) {
        const by = spread() / apart;
        const at = fromMiddle(event);
        return onPose((now) => zoomed(now, by, at));
      }
      const { width, height } = event.currentTarget.getBoundingClientRect();
      const by = { x: event.clientX - before.x, y: event.clientY - before.y };
      if (pose.scale > 1) onPose((now) => moved(now, by, { width, height }));
    },
    onPointerUp(event: PointerEvent) {
      held.current.delete(event.pointerId);
      const start = began.current;
      began.current = undefined;
      if (!start || pose.scale > 1) return;
      const across = event.clientX - start.x;
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(event.clientY - start.y))
        onSwipe(across < 0 ? 1 : -1);
    },
    onPointerCancel(event: PointerEvent) {
      held.current.delete(event.pointerId);
      began.current = undefined;
    },
  };
}
