import type { Endpoint } from "#contract/endpoint";
import { address, apiBase, failureOf } from "../call.ts";
import { type ApiFailure, noAnswer } from "../failure.ts";
import { ownHeaders } from "./own-headers.ts";

interface Sending {
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The failure of an answer that did not come, or not all of it. */
export const lost = (signal: AbortSignal | undefined): ApiFailure => noAnswer(signal?.aborted ? "aborted" : "network");

/** Sends a file as it is, as the body of a call: it may be larger than memory, so that it is not made a text as other bodies. Throws ApiFailure. */
export async function sendFile(
  { method, path }: Endpoint,
  file: Blob,
  { query = {}, signal }: Sending = {},
): Promise<Response> {
  const request: RequestInit = { method, headers: ownHeaders(), body: file, signal: signal ?? null };
  const response = await fetch(apiBase() + address(path, { query }), request).catch(() => {
    throw lost(signal);
  });
  if (!response.ok) throw failureOf(response, await response.text());
  return response;
}
