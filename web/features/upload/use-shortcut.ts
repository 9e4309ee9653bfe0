import { useEffect, useEffectEvent } from "react";

/** Ctrl+Enter and Cmd+Enter, wherever the focus is; a link has its own use for them, a dialog wants an answer first. */
export function useShortcut(onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      if (event.target instanceof Element && event.target.closest("a, dialog")) return;
      event.preventDefault();
      event.stopPropagation();
      press();
    };
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, []);
}
