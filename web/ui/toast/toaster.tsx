import type { CSSProperties } from "react";
import { createRoot } from "react-dom/client";
import { Toaster, toast } from "sonner";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useShownTheme } from "../../page/theme.ts";

/** Something that happened elsewhere and is worth a word. */
export interface Toast {
  readonly tone: "ok" | "error" | "plain";
  readonly text: string;
  /** How long it stays, in milliseconds; as long as the library thinks fit unless said. */
  readonly duration?: number;
  /** Whether it stays until somebody closes it or does what it offers. */
  readonly stays?: boolean;
  /** Takes it away when it settles: what it tells of is over. */
  readonly until?: Promise<unknown>;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Those of the palette in the place of the library's own. */
const colours: CSSProperties & Readonly<Record<`--${string}`, string>> = {
  "--normal-bg": "var(--raised)",
  "--normal-text": "var(--text)",
  "--normal-border": "var(--line)",
};

function ThemedToaster() {
  useLanguage();
  // At the foot of a phone are the buttons.
  const phone = window.matchMedia("(max-width: 40rem)").matches;
  const position = phone ? "top-center" : "bottom-center";
  return (
    <Toaster
      theme={useShownTheme()}
      position={position}
      offset={{ bottom: "var(--foot)" }}
      mobileOffset={64}
      style={colours}
      toastOptions={{
        actionButtonStyle: { background: "var(--accent)", color: "var(--accent-text)" },
        closeButtonAriaLabel: t("shell.actions.close"),
        // The library's own is smaller than a finger finds.
        classNames: { closeButton: "size-6! pointer-coarse:size-9!" },
      }}
    />
  );
}

/** A root of its own, so that pages which never show a toast carry nothing of it. */
const place = document.createElement("div");
document.body.append(place);
createRoot(place).render(<ThemedToaster />);

const show = { ok: toast.success, error: toast.error, plain: toast.message };

/** Puts a message on the screen for a few seconds. */
export function showToast({ tone, text, action, duration, stays = false, until }: Toast): void {
  const id = show[tone](text, {
    ...(duration !== undefined && { duration }),
    ...(stays && { duration: Number.POSITIVE_INFINITY, closeButton: true }),
    ...(action && { action: { label: action.label, onClick: action.run } }),
  });
  const leave = () => toast.dismiss(id);
  void until?.then(leave, leave);
}
