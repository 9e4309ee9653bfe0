import { urlUploads } from "#contract/url-uploads";
import { i18n } from "../../i18n/i18n.ts";
import { apiBase, failureOf } from "../call.ts";
import { authorizationOf, credential } from "../session/credential.ts";

/** Has the server fetch a file from the web and stream its bytes. Rejects without an answer; throws ApiFailure. */
export async function sourceBytes(url: string, signal: AbortSignal): Promise<Response> {
  const { method, path } = urlUploads.fetch;
  const headers = new Headers({ "content-type": "application/json", "accept-language": i18n.language.get() });
  const carried = authorizationOf(credential.state.get());
  if (carried) headers.set("authorization", carried);
  const response = await fetch(apiBase() + path, { method, headers, body: JSON.stringify({ url }), signal });
  if (!response.ok) throw failureOf(response, await response.text());
  return response;
}
