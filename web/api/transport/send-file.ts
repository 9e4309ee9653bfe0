import type { Endpoint } from "#contract/endpoint";
import { i18n, t } from "../../i18n/i18n.ts";
import { address, apiBase, failureOf } from "../call.ts";
import { ApiFailure } from "../failure.ts";
import { authorizationOf, credential } from "../session/credential.ts";

interface Sending {
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** An answer that did not come, or not all of it. */
export const lost = (signal: AbortSignal | undefined): ApiFailure => {
  const code = signal?.aborted ? "aborted" : "network";
  return new ApiFailure({ code, status: 0, message: t(`shell.failure.${code}`) });
};

/** Sends a file as it is, as the body of a call: it may be larger than memory, so that it is not made a text as other bodies. Throws ApiFailure. */
export async function sendFile(
  { method, path }: Endpoint,
  file: Blob,
  { query = {}, signal }: Sending = {},
): Promise<Response> {
  const carried = authorizationOf(credential.state.get());
  const headers = { "accept-language": i18n.language.get(), ...(carried && { authorization: carried }) };
  const request: RequestInit = { method, headers, body: file, signal: signal ?? null };
  const response = await fetch(apiBase() + address(path, { query }), request).catch(() => {
    throw lost(signal);
  });
  if (!response.ok) throw failureOf(response, await response.text());
  return response;
}
