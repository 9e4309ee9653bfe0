import { call } from "../../../api/call.ts";
import { t } from "../../../i18n/i18n.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { toast } from "../../../ui/toast/toast.ts";
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
      saveFile(name, archive);
    },
  });
  await toast({ tone: "ok", text: t("basket.started"), until: packed });
}

const ports = { call, fetch: (address: string, signal: AbortSignal) => fetch(address, { signal }) };
