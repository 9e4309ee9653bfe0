/** Puts a text on the clipboard; false when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  // Plain http:// in a local network has no navigator.clipboard, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return copyBySelection(text);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The old way: select a text that nobody sees, and ask the document to copy. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  // While a modal dialog is open everything outside it is inert and cannot be selected.
  const place = document.querySelector("dialog[open]") ?? document.body;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.cssText = "position:fixed;inset:0 auto auto 0;width:1px;height:1px;opacity:0";
  place.append(area);
  area.select();
  const copied = document.execCommand?.("copy") ?? false;
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}
