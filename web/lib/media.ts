import { useCallback, useSyncExternalStore } from "react";

/** Reports whether a field that gets the focus brings up a keyboard over the page, as on a phone. */
export const bringsUpKeyboard = (): boolean => window.matchMedia("(pointer: coarse)").matches;

/** Reports whether a media query holds, following it as it changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
