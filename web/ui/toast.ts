import type { Toast } from "./toast-message.ts";

const PLAIN_FOR = 6000;

/** Shows a toast. Its machinery loads with the first one; without a network a plain line has to do. */
export async function toast(message: Toast): Promise<void> {
  try {
    const { showToast } = await import("./toaster.tsx");
    showToast(message);
  } catch {
    showPlainly(message.text);
  }
}

function showPlainly(text: string): void {
  const line = document.createElement("p");
  line.setAttribute("role", "alert");
  line.className = "fixed inset-x-4 bottom-5 z-50 mx-auto max-w-md rounded-xl bg-raised px-4 py-3 shadow-float";
  line.textContent = text;
  document.body.append(line);
  setTimeout(() => line.remove(), PLAIN_FOR);
}
