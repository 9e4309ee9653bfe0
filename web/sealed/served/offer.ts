import { pathTo } from "../../lib/base-path.ts";
import type { SealedFailure } from "../failures.ts";
import {
  type ForgetOpened,
  type KeepOpened,
  OPENED,
  OPENED_EVERY,
  type OpenedFile,
  type OpenedToPage,
} from "./messages.ts";

/** How long a worker may take to answer, in milliseconds. */
const PATIENCE = 5000;

interface Offering extends OpenedFile {
  readonly onBroken: (code: SealedFailure["code"]) => void;
}

/** What this page has opened, by id. */
const offerings = new Map<string, Offering>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Where a browser has no workers, on plain http or in a private window, there is no container, whatever the types say. */
const container = (): ServiceWorkerContainer | undefined =>
  "serviceWorker" in navigator ? navigator.serviceWorker : undefined;

/** Waits until a worker controls this page, for so many milliseconds; answers whether one does. */
export async function isControlled(patience: number): Promise<boolean> {
  const workers = container();
  if (!workers || workers.controller) return workers !== undefined;
  return await new Promise((resolve) => {
    const settle = () => {
      clearTimeout(waits);
      workers.removeEventListener("controllerchange", settle);
      resolve(workers.controller !== null);
    };
    const waits = setTimeout(settle, patience);
    workers.addEventListener("controllerchange", settle);
  });
}

/**
 * Has the worker serve a file that was opened; answers its address, or undefined where the worker does not serve it, as one of an earlier version.
 * It is served for as long as this page lives, or until `withdrawAll`: a download goes on when its page in the app has been left.
 */
export async function offer(file: Omit<Offering, "id">): Promise<string | undefined> {
  const offering = { ...file, id: crypto.randomUUID() };
  if (!(await keep(offering))) return undefined;
  offerings.set(offering.id, offering);
  listen();
  return pathTo(OPENED) + offering.id;
}

/** Has the worker serve nothing any more that this page has opened. */
export function withdrawAll(): void {
  const ids = [...offerings.keys()];
  offerings.clear();
  container()?.controller?.postMessage({ type: "FORGET_OPENED", ids } satisfies ForgetOpened);
}

/** Tells the worker; answers whether it has heard. */
function keep(offering: Offering): Promise<boolean> {
  const worker = container()?.controller;
  if (!worker) return Promise.resolve(false);
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const settle = (heard: boolean) => {
      clearTimeout(waits);
      port1.close();
      resolve(heard);
    };
    const waits = setTimeout(() => settle(false), PATIENCE);
    port1.onmessage = ({ data }) => settle(data === true);
    worker.postMessage({ type: "KEEP_OPENED", file: fileOf(offering) } satisfies KeepOpened, [port2]);
  });
}

/** Answers the worker's questions, and has it live on while it may be asked for something that is open here. */
function listen(): void {
  if (timer !== undefined) return;
  const again = () => {
    for (const offering of offerings.values()) void keep(offering);
  };
  timer = setInterval(again, OPENED_EVERY);
  container()?.addEventListener("controllerchange", again);
  container()?.addEventListener("message", ({ data, ports }) => {
    const { type, id = "", ...rest } = (data ?? {}) as Partial<OpenedToPage>;
    const offering = offerings.get(id);
    if (type === "OPENED_WANTED") ports[0]?.postMessage(offering && fileOf(offering));
    if (type === "OPENED_BROKEN" && "code" in rest && rest.code) offering?.onBroken(rest.code);
  });
}

const fileOf = ({ onBroken: _onBroken, ...file }: Offering): OpenedFile => file;
