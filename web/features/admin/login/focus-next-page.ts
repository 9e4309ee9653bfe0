/** How long the page that a sign-in leads to is waited for, in milliseconds. */
const PATIENCE = 5000;

const heading = () => document.querySelector<HTMLElement>("#main h1");

/**
 * Takes the focus, which went with the card, to the heading of the page that a sign-in leads to. Called before it, answers
 * what to call after it.
 */
export function focusNextPage(): () => void {
  const card = heading();
  return () => {
    const main = document.getElementById("main");
    if (!main) return;
    const watch = new MutationObserver(() => arrive());
    const timer = setTimeout(() => watch.disconnect(), PATIENCE);
    const arrive = () => {
      const next = heading();
      if (!next || next === card) return;
      clearTimeout(timer);
      watch.disconnect();
      if (document.activeElement === document.body) focus(next);
    };
    watch.observe(main, { childList: true, subtree: true });
    arrive();
  };
}

function focus(element: HTMLElement): void {
  element.tabIndex = -1;
  element.classList.add("outline-none");
  element.focus({ preventScroll: true });
}
