const GAP = 8;
const EDGE = 12;
/** Width of the window in pixels, where styles.css has its smallest breakpoint: below it a popover is a sheet at the bottom of the screen. */
const PHONE = 640;

/** Puts a floating panel at its anchor: below it, or above where there is more room; never over the window's edge. */
export function place(panel: HTMLElement, anchor: DOMRect): void {
  const { innerWidth, innerHeight, visualViewport } = window;
  if (innerWidth < PHONE) {
    const hidden = visualViewport ? innerHeight - visualViewport.height - visualViewport.offsetTop : 0;
    panel.style.left = panel.style.top = panel.style.maxHeight = "";
    panel.style.setProperty("--keyboard", `${Math.max(0, hidden)}px`);
    return;
  }
  const below = innerHeight - anchor.bottom - GAP - EDGE;
  const above = anchor.top - GAP - EDGE;
  const upwards = below < panel.offsetHeight && above > below;
  const room = upwards ? above : below;
  const height = Math.min(panel.scrollHeight, panel.offsetHeight, room);
  const left = Math.min(anchor.left, innerWidth - panel.offsetWidth - EDGE);
  panel.style.maxHeight = `${room}px`;
  panel.style.left = `${Math.max(EDGE, left)}px`;
  panel.style.top = `${upwards ? anchor.top - GAP - height : anchor.bottom + GAP}px`;
}
