/** One try to deliver one message. */
import type { DeliveryProblem, WebhookKind } from "#contract/webhooks";
import type { Clock } from "../lib/clock.ts";
import { type Fetch, ForbiddenAddress } from "../lib/pinned-fetch.ts";
import type { createSeals } from "../lib/secret.ts";
import { requestFor } from "./bodies.ts";
import type { DeliveryRow } from "./deliveries-table.ts";
import type { SendMail } from "./mail.ts";
import { signedHeaders } from "./signature.ts";
import type { WebhookRow } from "./webhooks-table.ts";
import { sentenceOf, type Told } from "./words.ts";

/** What came of a try. */
export interface Outcome {
  readonly status: number | null;
  /** Null when it has arrived. */
  readonly problem: DeliveryProblem | null;
  /** Seconds, where `problem` says that the clock is wrong. */
  readonly clockAhead: number | null;
  /** Milliseconds that the receiver wants to be left alone. */
  readonly leaveAlone: number;
}

interface SendDeps {
  readonly fetch: Fetch;
  /** Undefined when no mail server is configured. */
  readonly mail: SendMail | undefined;
  readonly seals: ReturnType<typeof createSeals>;
  readonly clock: Clock;
  /** Milliseconds for one try; SEND_PATIENCE unless a test says otherwise. */
  readonly patience?: number | undefined;
}

/** Milliseconds from the first byte to the end of the answer. */
const SEND_PATIENCE = 15_000;
/** Bytes of an answer that are read; nothing of it is kept. */
const MOST_ANSWER = 64 * 1024;
/** Seconds that a receiver lets a signature be early or late (Standard Webhooks, "Verifying webhook authenticity"). */
const TOLERANCE = 300;
/** What a receiver answers that does not take a signature. */
const REFUSALS = [400, 401, 403];
const LONGEST_RETRY_AFTER = 24 * 3600;

const sealed = (id: string, what: string): string => `webhook ${id} ${what}`;

/** What the texts of a webhook are sealed for. */
export const sealedFor = {
  address: (id: string) => sealed(id, "address"),
  token: (id: string) => sealed(id, "token"),
  secret: (id: string) => sealed(id, "secret"),
};

const failed = (problem: DeliveryProblem, status: number | null = null): Outcome => ({
  ...{ status, problem },
  ...{ clockAhead: null, leaveAlone: 0 },
});

/** Makes the function that tries once. It rejects only for bugs, and with the reason of an abort. */
export function createSend({ fetch, mail, seals, clock, patience = SEND_PATIENCE }: SendDeps) {
  const secretsOf = ({ id, sealed_secret, sealed_old_secret, old_secret_until }: WebhookRow): string[] => {
    const isOldKnown = old_secret_until !== null && old_secret_until > clock();
    return [sealed_secret, isOldKnown ? sealed_old_secret : null].flatMap(
      (one) => (one === null ? undefined : seals.open(one, sealedFor.secret(id))) ?? [],
    );
  };

  const post = async (
    webhook: WebhookRow,
    kind: Exclude<WebhookKind, "mail">,
    row: DeliveryRow,
    signal: AbortSignal,
  ) => {
    const { id, language, sealed_token } = webhook;
    const address = seals.open(webhook.sealed_address, sealedFor.address(id)) ?? "";
    const token = sealed_token === null ? "" : (seals.open(sealed_token, sealedFor.token(id)) ?? "");
    const told = JSON.parse(row.body) as Told;
    const request = requestFor(kind, { text: row.body, told }, { address, token, language });
    // Signed are the very bytes that are sent.
    const body = new TextEncoder().encode(request.body);
    const message = { id: row.id, timestamp: Math.floor(clock() / 1000), body };
    const signed = kind === "standard" ? signedHeaders(secretsOf(webhook), message) : {};
    return await fetch(request.url, {
      method: "POST",
      body,
      headers: { "user-agent": "Satchel", accept: "*/*", "accept-encoding": "identity", ...request.headers, ...signed },
      signal,
      decompress: false,
      keepalive: false,
    });
  };

  const byMail = async (webhook: WebhookRow, row: DeliveryRow, signal: AbortSignal): Promise<Outcome> => {
    const to = seals.open(webhook.sealed_address, sealedFor.address(webhook.id)) ?? "";
    if (!mail) return failed("noMail");
    const sentence = sentenceOf(JSON.parse(row.body) as Told, webhook.language);
    const problem = await mail({ id: row.id, to, ...sentence, at: row.at }, signal);
    return { ...failed("mail"), problem };
  };

  const attempt = async (webhook: WebhookRow, row: DeliveryRow, signal: AbortSignal): Promise<Outcome> => {
    if (webhook.kind === "mail") return await byMail(webhook, row, signal);
    const response = await post(webhook, webhook.kind, row, signal);
    await readAway(response);
    return outcomeOf(response, clock());
  };

  return async (webhook: WebhookRow, row: DeliveryRow, stopped: AbortSignal): Promise<Outcome> => {
    const late = AbortSignal.timeout(patience);
    const given = new AbortController();
    const signal = AbortSignal.any([stopped, late, given.signal]);
    try {
      return await attempt(webhook, row, signal);
    } catch (error) {
      stopped.throwIfAborted();
      if (late.aborted) return failed(webhook.kind === "mail" ? "mailLate" : "late");
      return failed(error instanceof ForbiddenAddress ? "forbidden" : "unreachable");
    } finally {
      // Nothing of an answer comes any more, however long it is.
      given.abort();
    }
  };
}

/** Reads an answer as far as it may go, so that a receiver is not cut off while it answers. */
async function readAway({ body }: Response): Promise<void> {
  if (!body) return;
  let bytes = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MOST_ANSWER) return;
  }
}

function outcomeOf({ status, headers }: Response, now: number): Outcome {
  if (status >= 200 && status < 300) return { status, problem: null, clockAhead: null, leaveAlone: 0 };
  if (status === 410) return failed("gone", status);
  if (status >= 300 && status < 400) return failed("redirect", status);
  const ahead = Math.round((Date.parse(headers.get("date") ?? "") - now) / 1000);
  if (REFUSALS.includes(status) && Math.abs(ahead) > TOLERANCE)
    return { ...failed("clock", status), clockAhead: ahead };
  const wait = status === 429 || status === 503 ? Number(headers.get("retry-after") ?? 0) : 0;
  const leaveAlone = Number.isFinite(wait) ? Math.min(LONGEST_RETRY_AFTER, Math.max(0, wait)) * 1000 : 0;
  return { ...failed("status", status), leaveAlone };
}
