const GAP = 8;
const EDGE = 12;
/** As in styles.css: below it a popover is a sheet at the bottom of the screen. */
const PHONE = 640;

/**
 * Puts a floating panel at its anchor: below it, or above where there is more room; never over the window's edge. One that is to be
 * whole stands beside its anchor where neither has room for it.
 */
export function place(panel: HTMLElement, anchor: DOMRect, whole = false): void {
  const { innerWidth, innerHeight, visualViewport } = window;
  if (innerWidth < PHONE) {
    const hidden = visualViewport ? innerHeight - visualViewport.height - visualViewport.offsetTop : 0;
    panel.style.left = "";
    panel.style.top = "";
    panel.style.maxHeight = "";
    panel.style.setProperty("--keyboard", `${Math.max(0, hidden)}px`);
    return;
  }
  const below = innerHeight - anchor.bottom - GAP - EDGE;
  const above = anchor.top - GAP - EDGE;
  const left = Math.max(EDGE, Math.min(anchor.left, innerWidth - panel.offsetWidth - EDGE));
  panel.style.left = `${left}px`;
  if (whole) {
    placeWhole(panel, anchor, below, above);
    return;
  }
  const upwards = below < panel.offsetHeight && above > below;
  const height = Math.min(panel.scrollHeight, upwards ? above : below);
  panel.style.maxHeight = `${upwards ? above : below}px`;
  panel.style.top = `${upwards ? anchor.top - GAP - Math.min(height, panel.offsetHeight) : anchor.bottom + GAP}px`;
}

function placeWhole(panel: HTMLElement, anchor: DOMRect, below: number, above: number): void {
  panel.style.maxHeight = `${innerHeight - 2 * EDGE}px`;
  const { offsetHeight, offsetWidth } = panel;
  if (offsetHeight <= below) panel.style.top = `${anchor.bottom + GAP}px`;
  else if (offsetHeight <= above) panel.style.top = `${anchor.top - GAP - offsetHeight}px`;
  else {
    const right = anchor.right + GAP;
    const left = right + offsetWidth <= innerWidth - EDGE ? right : anchor.left - GAP - offsetWidth;
    panel.style.left = `${Math.max(EDGE, left)}px`;
    panel.style.top = `${innerHeight - EDGE - offsetHeight}px`;
  }
}
