import { useEffect, useRef } from "react";

/** What a person can press in a row. */
const CONTROLS = "a[href], button:not(:disabled), input:not(:disabled)";

/**
 * Keeps the focus of a keyboard where rows of a list go away under it: it comes to the same control of the row that takes the
 * place, and to the heading of a dialog after the last one. Give the answered ref to what stays around the list.
 */
export function useListFocus<Around extends HTMLElement = HTMLDivElement>() {
  const ref = useRef<Around>(null);
  useEffect(() => {
    const around = ref.current;
    if (!around) return;
    // A question about a row lies beside the list, and takes the focus with it as well.
    const dialog = around.closest("dialog") ?? around;
    const rows = () => [...around.querySelectorAll("li")].filter((row) => row.querySelector(CONTROLS));
    let last: { readonly row: number; readonly control: number } | undefined;
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || !around.contains(target)) return;
      const row = rows().findIndex((one) => one.contains(target));
      const controls = [...(rows()[row]?.querySelectorAll(CONTROLS) ?? [])];
      last = row < 0 ? undefined : { row, control: Math.max(controls.indexOf(target), 0) };
    };
    const observer = new MutationObserver(() => {
      if (last === undefined || document.activeElement !== document.body) return;
      const row = rows().at(Math.min(last.row, rows().length - 1));
      const controls = [...(row?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
      const next = controls.at(Math.min(last.control, controls.length - 1));
      (next ?? dialog.querySelector<HTMLElement>("h2[tabindex]"))?.focus();
    });
    dialog.addEventListener("focusin", note as EventListener);
    observer.observe(dialog, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      dialog.removeEventListener("focusin", note as EventListener);
    };
  }, []);
  return ref;
}
