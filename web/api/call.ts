import type { CallInput, CallOutput, Endpoint } from "#contract/endpoint";
import type { FailureCode } from "#contract/failures";
import type { Language } from "#contract/languages";
import { REQUEST_TIMEOUT } from "#contract/limits";
import { i18n, t } from "../i18n/i18n.ts";
import { pathTo } from "../lib/base-path.ts";
import { ApiFailure, type FailedItem, forPeople, isFailure } from "./failure.ts";
import {
  authorizationOf,
  type Credential,
  credential,
  personOf,
  type Sender,
  type SessionState,
  type SignOutReason,
} from "./session/credential.ts";
import { exchange } from "./transport/exchange.ts";
import { type EndpointInput, type FallbackHolder, offlineFallback } from "./transport/offline-fallback.ts";

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the server may be silent, in milliseconds, for a call that takes long. */
  readonly patience?: number;
}

// The argument is optional for an endpoint without params, query and body.
type CallArguments<E extends Endpoint> =
  Record<never, never> extends CallInput<E>
    ? [input?: CallInput<E> & CallOptions]
    : [input: CallInput<E> & CallOptions];

export type Call = <E extends Endpoint>(endpoint: E, ...given: CallArguments<E>) => Promise<CallOutput<E>>;

interface Wire {
  /** Where the API is, up to and including /api. */
  readonly base: () => string;
  /** Who sends the calls. An answer about a session that has ended in the meantime has no effect. */
  readonly credential: { readonly state: { get(): Sender } } & Partial<Pick<Credential, "signOut" | "markStale">>;
  readonly language: () => Language;
  /** How long the server may be silent, in milliseconds; REQUEST_TIMEOUT by default. */
  readonly patience?: number;
  /** Asked when the server cannot be reached. */
  readonly offlineFallback?: Pick<FallbackHolder, "recordAnswer" | "get">;
}

type RawInput = CallOptions & EndpointInput;

/** Makes the function that sends a call of the contract and returns its answer, or throws an ApiFailure. */
export function createCall({ base, credential, language, patience = REQUEST_TIMEOUT, offlineFallback }: Wire): Call {
  const send = async (endpoint: Endpoint, input: RawInput): Promise<unknown> => {
    const sender = credential.state.get();
    const carried = authorizationOf(sender);
    const headers = new Headers(input.headers);
    headers.set("accept-language", language());
    if (carried) headers.set("authorization", carried);
    if (input.body !== undefined) headers.set("content-type", "application/json");

    const url = base() + address(endpoint.path, input);
    const body = input.body === undefined ? null : JSON.stringify(input.body);
    const request = { method: endpoint.method, headers, body };
    const { response, text } = await exchange({
      url,
      request,
      patience: input.patience ?? patience,
      signal: input.signal,
    });
    // An answer to somebody who has signed out in the meantime must not be stored for the next person.
    const recorder = authorizationOf(credential.state.get()) === carried ? offlineFallback : undefined;
    if (response.ok) {
      const answer = endpoint.response ? parse(text, response.status) : undefined;
      recorder?.recordAnswer(endpoint, input, answer);
      return answer;
    }
    const failure = failureOf(response, text);
    if (isOver(failure)) recorder?.recordAnswer(endpoint, input, undefined);
    // An answer to an old credential says nothing about the session after it.
    if (authorizationOf(credential.state.get()) !== carried) throw failure;
    const end = endOf(sender, failure, endpoint.path);
    if (end) credential.signOut?.(end);
    if (failure.code === "auth.forbidden" && sender.authType === "apikey") credential.markStale?.();
    throw failure;
  };
  const sendOrFallBack = async (endpoint: Endpoint, input: RawInput): Promise<unknown> => {
    const asker = personOf(credential.state.get());
    // A call of somebody who has signed out in the meantime must not be queued for the next person.
    const isHere = () => personOf(credential.state.get()) === asker;
    try {
      return await send(endpoint, input);
    } catch (error) {
      const there = isFailure(error, "network") && isHere() ? await offlineFallback?.get() : undefined;
      const recalled = await there?.recall(endpoint, input);
      if (!isHere()) throw error;
      if (recalled !== undefined) return recalled;
      if (!(await there?.queue(endpoint, input))) throw error;
      throw new ApiFailure({ code: "queued", status: 0, message: t("shell.failure.queued") });
    }
  };
  return (async (endpoint: Endpoint, input: RawInput = {}) => sendOrFallBack(endpoint, input)) as Call;
}

/** Returns the path and query of a call, below the API's base address. */
export function address(path: string, { params, query }: EndpointInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiFailure({ code: "unknown", status, message: t("shell.failure.unknown") });
  }
}

function itemForPeople(item: FailedItem): FailedItem {
  const { error, message } = item;
  return {
    ...item,
    ...(typeof error === "string" && { error: forPeople(error) }),
    ...(typeof message === "string" && { message: forPeople(message) }),
  };
}

interface Envelope {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly failed?: unknown;
}

/** Makes the failure from an answer and its text. */
export function failureOf(response: Response, text: string): ApiFailure {
  const { status } = response;
  const { error, message, failed } = envelopeIn(text);
  // A proxy between us and the server answers with pages of its own.
  if (typeof error !== "string")
    return new ApiFailure({ code: "unknown", status, message: t("shell.failure.unknown") });
  const seconds = Number(response.headers.get("retry-after"));
  return new ApiFailure({
    code: error as FailureCode,
    status,
    message: typeof message === "string" ? forPeople(message) : "",
    ...(seconds > 0 ? { retryAfter: seconds } : {}),
    ...(Array.isArray(failed) ? { failed: (failed as FailedItem[]).map(itemForPeople) } : {}),
  });
}

function envelopeIn(text: string): Envelope {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Calls for which a refusal without a reason means that the key lacks a right there, not that the key is invalid (SPEC section 8). */
const bytesRoutes = /^\/(files|upload|url|s3)(\/|$)/;

/** Reports whether there is nothing any more for whoever has asked; pages that a proxy refuses by itself say nothing of that. */
const isOver = ({ status, code }: ApiFailure): boolean =>
  status === 404 || status === 410 || (status === 403 && code !== "unknown");

/**
 * Why a failure ends the session of the call. Any other 401 is about a password in the request and not its sender; a
 * missing right ends nothing.
 */
function endOf({ authType }: Sender, { code }: ApiFailure, path: string): SignOutReason | undefined {
  if (authType === "none" || authType === "link") return undefined;
  if (code === "auth.expired" || code === "key.invalid") return authType === "admin" ? "expired" : "keyInvalid";
  if (code !== "auth.required" || (authType === "apikey" && bytesRoutes.test(path))) return undefined;
  return "unauthorized";
}

/** Where this page's API is. */
export const apiBase = (): string => `${window.appConfig?.backendUrl ?? ""}${pathTo("/api")}`;

const wire = { base: apiBase, language: i18n.language.get };

/** Sends a call of the contract with this page's session and language. */
export const call = createCall({ ...wire, credential, offlineFallback });

/** Creates the function that sends calls as somebody else than who is signed in here. */
export const callBy = (sender: () => Sender): Call => createCall({ ...wire, credential: { state: { get: sender } } });

/** Creates the function that sends calls with a session which may have ended on this page in the meantime. */
export const callAs = (session: SessionState): Call => callBy(() => session);
