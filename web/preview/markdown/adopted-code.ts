import { buttonWords, pressButton } from "./buttons.ts";
import { enhance } from "./enhance/enhance.ts";
import { diagramWords } from "./words.ts";

/** Has the buttons of code do what they say, in a text as the server has rendered it, and colours the code. */
export function wakeCode(text: Element): void {
  // A text that is shown again has been through this.
  if (!text.querySelector("[data-act][style]")) return;
  const words = buttonWords();
  for (const button of text.querySelectorAll<HTMLElement>("[data-act]")) {
    button.removeAttribute("style");
    button.removeAttribute("tabindex");
    const folds = button.dataset.act === "fold";
    if (folds) button.setAttribute("aria-expanded", "false");
    button.textContent = folds ? words.unfold : words.copy;
  }
  // Such a text has no part that is shown by itself.
  text.addEventListener("click", (event) => pressButton(event, buttonWords(), () => undefined));
  void enhance(
    [...text.children].filter((block) => block instanceof HTMLElement),
    diagramWords(),
    true,
  );
}
