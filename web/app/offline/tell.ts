import { t } from "../../i18n/i18n.ts";
import { ownPath } from "../../lib/base-path.ts";
import { isClosed, isFull } from "../../offline/database.ts";
import type { Replayed } from "../../offline/replay.ts";
import { backGate } from "../../page/back-gate.ts";
import { signingOut } from "../../ui/session/signing-out.ts";
import { toast } from "../../ui/toast/toast.ts";

/** How long the admin area shows what became of changes before it loads anew, in milliseconds (SPEC section 9). */
const RELOAD_AFTER = 1000;

const ofTexts: ReadonlySet<string> = new Set(["createPaste", "updatePaste", "batchDeletePastes", "clearExpiredPastes"]);

/** Does something with what is kept on this device, and answers whether that was done; if not, it is said. */
export async function attempt(task: () => Promise<unknown>): Promise<boolean> {
  try {
    await task();
    return true;
  } catch (error) {
    void toast({ tone: "error", text: troubleOf(error) });
    return false;
  }
}

/** Why nothing can be done with what is kept on this device. */
export function troubleOf(error: unknown): string {
  if (isClosed(error)) return t("offline.closed");
  return t(isFull(error) ? "offline.full" : "offline.broken");
}

/** Says what became of changes that waited, of which `linked` are told of already; the admin area is loaded anew, unless that would break off writing there or an upload. */
export function tellOf({ sent, rejected }: Replayed, linked = 0): void {
  const count = sent.length - linked;
  if (rejected > 0) void toast({ tone: "error", text: t("offline.failed") });
  else if (count > 0) void toast({ tone: "ok", text: t("offline.sent", { count }) });
  if (!sent.some((type) => ofTexts.has(type))) return;
  setTimeout(() => {
    const inAdmin = ownPath().startsWith("/admin");
    if (inAdmin && !backGate.get() && !signingOut.breaksOff().includes("uploads")) window.location.reload();
  }, RELOAD_AFTER);
}
