/** Something that happened elsewhere and is worth a word. */
export interface Toast {
  readonly tone: "ok" | "error" | "plain";
  readonly text: string;
  /** How long it stays, in milliseconds; as long as the library thinks fit unless said. */
  readonly duration?: number;
  /** Takes it away when it settles: what it tells of is over. */
  readonly until?: Promise<unknown>;
  readonly action?: { readonly label: string; readonly run: () => void };
}
