import { urlUploads } from "#contract/url-uploads";
import { apiBase, failureOf } from "../call.ts";
import { ownHeaders } from "./own-headers.ts";

/** Has the server fetch a file from the web and stream its bytes. Rejects without an answer; throws ApiFailure. */
export async function sourceBytes(url: string, signal: AbortSignal): Promise<Response> {
  const { method, path } = urlUploads.fetch;
  const headers = ownHeaders();
  headers.set("content-type", "application/json");
  const response = await fetch(apiBase() + path, { method, headers, body: JSON.stringify({ url }), signal });
  if (!response.ok) throw failureOf(response, await response.text());
  return response;
}
