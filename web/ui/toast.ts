import type { Toast } from "./toast-message.ts";

/** Shows a toast. Its machinery loads with the first one. */
export async function toast(message: Toast): Promise<void> {
  const { showToast } = await import("./toaster.tsx");
  showToast(message);
}
