import { useCallback, useRef } from "react";

/**
 * Runs an action unless the last one is still running; returns undefined then. A `busy` state is not enough: it is as
 * old as the last render, and two keys can arrive before the next one.
 */
export function useOneAtATime() {
  const running = useRef(false);
  return useCallback(async <Result>(action: () => Promise<Result>): Promise<Result | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    try {
      return await action();
    } finally {
      running.current = false;
    }
  }, []);
}
