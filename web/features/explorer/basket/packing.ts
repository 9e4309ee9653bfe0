import { call } from "../../../api/call.ts";
import { t } from "../../../i18n/i18n.ts";
import { toast } from "../../../ui/toast.ts";
import { pageTasks } from "../tasks/page-tasks.ts";
import type { BasketItem } from "./basket.ts";
import { packInBrowser, packOnServer } from "./pack.ts";
import { archiveName, planOf } from "./plan.ts";

/** Packs what is in the basket and gives it to the person: in this browser as a task, or by the server. Throws ApiFailure. */
export async function packBasket(items: readonly BasketItem[]): Promise<void> {
  const name = archiveName(items, new Date());
  if (planOf(items).by === "server") {
    await packOnServer({ call, items, name, onRefused: (text) => void toast({ tone: "error", text }) });
    await toast({ tone: "ok", text: t("basket.startedThere") });
    return;
  }
  const packed = pageTasks.start({
    kind: "zip",
    parts: items.map(({ path }) => ({ path, target: undefined, state: "pending" })),
    totalBytes: planOf(items).size,
    async act({ signal, moved, ended }) {
      const archive = await packInBrowser(ports, {
        items,
        signal,
        onMoved: (bytes, { path }) => moved(bytes, path),
        onFile: ({ path }, leftOut) => ended(path, leftOut),
      });
      save(archive, name);
    },
  });
  await toast({ tone: "ok", text: t("basket.started"), until: packed });
}

const ports = { call, fetch: (address: string, signal: AbortSignal) => fetch(address, { signal }) };

/** Gives bytes of this page to the person as a file. */
function save(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Browsers begin to read it a little later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
