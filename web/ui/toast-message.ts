/** Something that happened elsewhere and is worth a word. */
export interface Toast {
  readonly tone: "ok" | "error" | "plain";
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}
