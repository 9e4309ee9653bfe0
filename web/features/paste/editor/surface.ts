import type { ComponentType, Ref } from "react";

/** The position of the caret, in UTF-16 units from the start; anchor and head differ if something is selected. */
export interface Caret {
  readonly anchor: number;
  readonly head: number;
}

/** What every way of editing offers, so that one can take another's place without the writer losing the place. */
export interface EditorSurface {
  caret(): Caret;
  focused(): boolean;
  focus(caret?: Caret): void;
  /** Resolves when no input method (pinyin, for one) is in the middle of a word: taking over then would swallow it. */
  settled(): Promise<void>;
}

/** The part of an editor that the page around it uses. */
export type EditorFocus = Pick<EditorSurface, "focus">;

export interface SurfaceProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly placeholder: string;
  /** Where a surface that takes over from another one begins, and whether it takes the focus. */
  readonly start?: { readonly caret: Caret; readonly focus: boolean } | undefined;
  readonly ref?: Ref<EditorSurface>;
}

export type Surface = ComponentType<SurfaceProps>;
