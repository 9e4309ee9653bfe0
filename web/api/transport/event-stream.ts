import { t } from "../../i18n/i18n.ts";
import { createSilence } from "../../lib/silence.ts";
import { apiBase } from "../call.ts";
import { ApiFailure, noAnswer } from "../failure.ts";
import type { Sender } from "../session/credential.ts";
import { ownHeaders } from "./own-headers.ts";

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
export function createEvents({ fetch, sender }: Wire): Events {
  return async function* (path, signal) {
    const silence = createSilence(SILENCE);
    silence.expectMore();
    try {
      const response = await fetch(apiBase() + path, {
        headers: ownHeaders(sender?.()),
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (!response.ok || !response.body) throw refused(response.status);
      yield* eventsOf(response.body, () => silence.expectMore());
    } catch (error) {
      throw error instanceof ApiFailure ? error : noAnswer(signal.aborted ? "aborted" : "network");
    } finally {
      silence.end();
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

/** Reads event streams of this page's server with the current session. */
export const events = createEvents({ fetch: (address, init) => fetch(address, init) });

/** The same for somebody else than the current session. */
export const eventsBy = (sender: () => Sender): Events =>
  createEvents({ fetch: (address, init) => fetch(address, init), sender });
