/** Something that happened elsewhere and is worth a word. */
export interface Toast {
  readonly tone: "ok" | "error" | "plain";
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Shows a toast. Its machinery loads with the first one. */
export async function toast(message: Toast): Promise<void> {
  const { showToast } = await import("./toaster.tsx");
  showToast(message);
}
