import { StateEffect } from "@codemirror/state";
import { type EditorView, WidgetType } from "@codemirror/view";
import { t } from "../../../../i18n/i18n.ts";
import { holdImage } from "../../../../preview/markdown/pictures.ts";

/** Somebody asked for the image at an address of another host. */
export const askFor = StateEffect.define<string>();

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Text in place of a mark: a bullet, or the language of a block of code. */
export class WordWidget extends WidgetType {
  constructor(
    readonly text: string,
    readonly className: string,
  ) {
    super();
  }
  override eq(other: WordWidget): boolean {
    return other.text === this.text && other.className === this.className;
  }
  override toDOM(): HTMLElement {
    return element("span", this.className, this.text);
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

/** A line across in place of `---`. */
export class RuleWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }
  override toDOM(): HTMLElement {
    return element("span", "live-rule");
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

/** The box of a task: a press changes the text, without the caret or a phone's keyboard going there. */
export class TaskWidget extends WidgetType {
  constructor(
    readonly done: boolean,
    readonly task: string,
  ) {
    super();
  }
  override eq(other: TaskWidget): boolean {
    return other.done === this.done && other.task === this.task;
  }
  override toDOM(view: EditorView): HTMLElement {
    const box = element("input", "live-task");
    box.type = "checkbox";
    box.addEventListener("mousedown", (event) => event.preventDefault());
    box.addEventListener("change", () => {
      // Where it stands now: the text before it may have changed since it was drawn.
      const at = view.posAtDOM(box);
      if (!/^\[[ xX]\]$/.test(view.state.sliceDoc(at, at + 3))) return;
      const insert = box.checked ? "x" : " ";
      view.dispatch({ changes: { from: at + 1, to: at + 2, insert }, userEvent: "input" });
    });
    this.draw(box);
    return box;
  }
  /** The same box stays, so that the keyboard's focus stays in it. */
  override updateDOM(box: HTMLElement): boolean {
    if (!(box instanceof HTMLInputElement)) return false;
    this.draw(box);
    return true;
  }
  private draw(box: HTMLInputElement): void {
    box.checked = this.done;
    box.setAttribute("aria-label", this.task);
  }
}

/** A picture in place of its Markdown; of another host, a button that asks for it. */
export class PictureWidget extends WidgetType {
  constructor(
    readonly address: string,
    readonly words: string,
    /** Undefined for what may be shown at once. */
    readonly host: string | undefined,
  ) {
    super();
  }
  override eq(other: PictureWidget): boolean {
    return other.address === this.address && other.words === this.words && other.host === this.host;
  }
  override toDOM(view: EditorView): HTMLElement {
    return this.host === undefined ? this.picture(view) : this.question(view, this.host);
  }
  private picture(view: EditorView): HTMLElement {
    const image = element("img", "live-picture");
    image.referrerPolicy = "no-referrer";
    image.alt = this.words;
    const frame = element("span", "live-frame");
    frame.append(image);
    holdImage(image);
    image.addEventListener("load", () => view.requestMeasure());
    image.src = this.address;
    return frame;
  }
  private question(view: EditorView, host: string): HTMLElement {
    const button = element("button", "md-image");
    button.type = "button";
    if (this.words) button.append(element("span", "", this.words));
    button.append(element("small", "", t("reading.markdown.loadImage", { host })));
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => view.dispatch({ effects: askFor.of(this.address) }));
    return button;
  }
  /** A press on a picture puts the caret there, which shows its Markdown; one on a button is the button's. */
  override ignoreEvent(): boolean {
    return this.host !== undefined;
  }
}
