import type { Toast } from "./toaster.tsx";

const PLAIN_FOR = 6000;

/** Shows a toast. Its machinery loads with the first one; without a network a plain line has to do. */
export async function toast(message: Toast): Promise<void> {
  try {
    const { showToast } = await import("./toaster.tsx");
    showToast(message);
  } catch {
    showPlainly(message);
  }
}

function showPlainly({ text, duration = PLAIN_FOR, until }: Toast): void {
  const line = document.createElement("p");
  line.setAttribute("role", "alert");
  line.className =
    "pointer-events-none fixed inset-x-4 bottom-(--foot) z-50 mx-auto max-w-md rounded-xl border border-line max-sm:top-16 max-sm:bottom-auto bg-raised px-4 py-3 shadow-float";
  line.textContent = text;
  document.body.append(line);
  const leave = () => line.remove();
  setTimeout(leave, duration);
  void until?.then(leave, leave);
}
