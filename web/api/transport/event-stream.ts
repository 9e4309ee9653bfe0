import { i18n, t } from "../../i18n/i18n.ts";
import { pathTo } from "../../lib/base-path.ts";
import { ApiFailure } from "../failure.ts";
import { authorizationOf, credential, type Sender } from "../session/credential.ts";

/** How long a stream may be silent, in milliseconds: the server says something every 15 seconds. */
const SILENCE = 40_000;

interface Wire {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** Who opens the streams; the current session unless said. */
  readonly sender?: () => Sender;
}

/** Opens a stream of server-sent events and yields the data of each, until it ends. Throws ApiFailure. */
export type Events = (path: string, signal: AbortSignal) => AsyncGenerator<string>;

/** Makes the function that reads event streams. EventSource cannot: it sends no credential but cookies. */
export function createEvents({ fetch, sender = credential.state.get }: Wire): Events {
  return async function* (path, signal) {
    const quiet = new AbortController();
    let timer = setTimeout(() => quiet.abort(), SILENCE);
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), SILENCE);
    };
    try {
      const carried = authorizationOf(sender());
      const response = await fetch(`${window.appConfig?.backendUrl ?? ""}${pathTo("/api")}${path}`, {
        headers: { "accept-language": i18n.language.get(), ...(carried && { authorization: carried }) },
        signal: AbortSignal.any([signal, quiet.signal]),
      });
      if (!response.ok || !response.body) throw refused(response.status);
      yield* eventsOf(response.body, heard);
    } catch (error) {
      throw error instanceof ApiFailure ? error : lost(signal.aborted);
    } finally {
      clearTimeout(timer);
      quiet.abort();
    }
  };
}

async function* eventsOf(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    text += decoder.decode(value, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").filter((line) => line.startsWith("data: "));
      if (data.length > 0) yield data.map((line) => line.slice("data: ".length)).join("\n");
    }
  }
}

const refused = (status: number): ApiFailure =>
  new ApiFailure({ code: "unknown", status, message: t("shell.failure.unknown") });

const lost = (aborted: boolean): ApiFailure =>
  new ApiFailure(
    aborted
      ? { code: "aborted", status: 0, message: t("shell.failure.aborted") }
      : { code: "network", status: 0, message: t("shell.failure.network") },
  );

/** Reads event streams of this page's server with the current session. */
export const events = createEvents({ fetch: (address, init) => fetch(address, init) });

/** The same for somebody else than the current session. */
export const eventsBy = (sender: () => Sender): Events =>
  createEvents({ fetch: (address, init) => fetch(address, init), sender });
