import type { ComponentType, Ref } from "react";
import type { Format } from "../formats.ts";
import type { Caret } from "./caret.ts";

/** The lines in sight, by which text and preview are scrolled together. */
export interface LineScroll {
  /** The line at the upper edge, counted from 0, with what has gone out of sight of it. */
  top(): number;
  go(line: number): void;
  readonly element: HTMLElement;
}

/** What every way of editing offers, so that one can take another's place without the writer losing the place. */
export interface EditorSurface {
  caret(): Caret;
  focused(): boolean;
  focus(caret?: Caret): void;
  /** How far it is scrolled, in pixels. */
  scrolled(): number;
  shown?(): Shown | undefined;
  /** Resolves when no input method (pinyin, for one) is in the middle of a word: taking over then would swallow it. */
  settled(): Promise<void>;
  /** Changes the text as one step that can be undone. */
  edit(format: Format): void;
  undo(): void;
  redo(): void;
  /** Undefined where nobody knows at which height a line is. */
  lines?(): LineScroll | undefined;
}

/** The part of an editor that the page around it uses. */
export type EditorFocus = Pick<EditorSurface, "focus" | "edit">;

/** The first letter in sight, and how far below the upper edge it is, in pixels. */
export interface Shown {
  readonly at: number;
  readonly below: number;
}

/** Where a surface that takes over from another one begins, and whether it takes the focus. */
export interface Start {
  readonly caret: Caret;
  readonly scrolled: number;
  /** Undefined for a text that is not scrolled, or where nobody knows. */
  readonly shown?: Shown | undefined;
  readonly focus: boolean;
}

export interface SurfaceProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly placeholder: string;
  /** The text is Markdown. */
  readonly markdown: boolean;
  /** Its marks are hidden where nobody writes, as far as this way of editing can. */
  readonly live: boolean;
  /** The caret's line stays in the middle, as far as this way of editing can. */
  readonly typewriter: boolean;
  readonly start?: Start | undefined;
  readonly ref?: Ref<EditorSurface>;
}

export type Surface = ComponentType<SurfaceProps>;
