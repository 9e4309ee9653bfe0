/// <reference lib="webworker" />
import { pathFrom } from "../../lib/base-path.ts";
import { answerOpened, refusal } from "./answer.ts";
import { type ForgetOpened, type KeepOpened, OPENED, type OpenedFile, type OpenedToPage } from "./messages.ts";

/** How long pages are waited for that may have a file open, in milliseconds. */
const PATIENCE = 3000;

/** A file that a page has open, and the id of that page among the worker's clients. */
interface Kept {
  readonly file: OpenedFile;
  readonly page: string;
}

/**
 * The worker's half of opened files. They are in its memory alone, and browsers end workers when they like: then the page that has one open is
 * asked for it again. With that page they go, also where others have the worker live on.
 */
export function createOpened(clients: Clients) {
  const files = new Map<string, Kept>();

  /** Asks the pages for a file that this worker does not know, or knows no more. */
  const wanted = async (id: string): Promise<OpenedFile | undefined> => {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const answers = pages.map(async (page) => ({ file: await askPage(page, id), page: page.id }));
    const kept = await Promise.any(answers).catch(() => undefined);
    if (kept) files.set(id, kept);
    return kept?.file;
  };
  /** One whose page is still there. */
  const known = async (id: string): Promise<OpenedFile | undefined> => {
    const kept = files.get(id);
    if (kept && (await clients.get(kept.page))) return kept.file;
    files.delete(id);
    return undefined;
  };
  const tellBroken = async (id: string, code: (OpenedToPage & { type: "OPENED_BROKEN" })["code"]) => {
    const message: OpenedToPage = { type: "OPENED_BROKEN", id, code };
    for (const page of await clients.matchAll({ type: "window", includeUncontrolled: true })) page.postMessage(message);
  };

  return {
    /** Keeps what a page has opened: who has sent the message. */
    keep({ data: { file }, source }: Pick<ExtendableMessageEvent, "source"> & { readonly data: KeepOpened }): void {
      if (source && "id" in source) files.set(file.id, { file, page: source.id });
    },
    forget({ ids }: ForgetOpened): void {
      for (const id of ids) files.delete(id);
    },
    async answer(request: Request): Promise<Response> {
      const id = idIn(new URL(request.url).pathname);
      const file = id === undefined ? undefined : ((await known(id)) ?? (await wanted(id)));
      if (!file) return refusal(404);
      return answerOpened(request, { file, onBroken: (code) => void tellBroken(file.id, code) });
    },
  };
}

/** Whether the worker answers for a path, whatever the server has there. */
export const isOpened = (pathname: string): boolean => pathFrom(pathname)?.startsWith(OPENED) === true;

const idIn = (pathname: string): string | undefined => pathFrom(pathname)?.slice(OPENED.length);

/** Rejects where this page does not have it. */
const askPage = (page: Client, id: string): Promise<OpenedFile> =>
  new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => reject(new Error("The page does not answer.")), PATIENCE);
    port1.onmessage = ({ data }: MessageEvent<OpenedFile | undefined>) => {
      clearTimeout(timer);
      port1.close();
      if (data?.id === id) resolve(data);
      else reject(new Error("The page does not have it."));
    };
    page.postMessage({ type: "OPENED_WANTED", id } satisfies OpenedToPage, [port2]);
  });
