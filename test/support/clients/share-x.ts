/** ShareX as far as a file of its settings (.sxcu) goes: what such a file may say, and the request that it describes. */

import * as z from "zod/mini";

const text = z.string();
const texts = z.record(z.string(), z.string());
const destination = "ImageUploader|TextUploader|FileUploader|URLShortener|URLSharingService";

/** The fields of CustomUploaderItem, and no other. */
const uploader = z.strictObject({
  Version: text.check(z.regex(/^\d+\.\d+\.\d+$/)),
  Name: z.optional(text),
  DestinationType: text.check(z.regex(new RegExp(`^(${destination})(, (${destination}))*$`))),
  RequestMethod: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  RequestURL: z.url(),
  Parameters: z.optional(texts),
  Headers: z.optional(texts),
  Body: z.enum(["None", "MultipartFormData", "FormURLEncoded", "JSON", "XML", "Binary"]),
  Arguments: z.optional(texts),
  FileFormName: z.optional(text),
  Data: z.optional(text),
  URL: z.optional(text),
  ThumbnailURL: z.optional(text),
  DeletionURL: z.optional(text),
  ErrorMessage: z.optional(text),
});

type Uploader = z.output<typeof uploader>;

const FUNCTION = /\{(input|base64|json)(?::([^{}]*))?\}/g;

/** Fills in the functions of ShareX, of which those here are enough. */
const filled = (said: string, input: string, answer: Readonly<Record<string, unknown>> = {}): string =>
  said.replace(FUNCTION, (_, name: string, of = "") =>
    name === "input" ? input : name === "base64" ? Buffer.from(of).toString("base64") : String(answer[of] ?? ""),
  );

function bodyOf({ Body, Arguments = {}, FileFormName = "" }: Uploader, content: File | string) {
  const input = typeof content === "string" ? content : "";
  const fields = Object.entries(Arguments).map(([name, value]): [string, string] => [name, filled(value, input)]);
  if (Body === "FormURLEncoded") return new URLSearchParams(fields);
  if (Body !== "MultipartFormData") throw new Error(`No body is made as ${Body}.`);
  const form = new FormData();
  for (const [name, value] of fields) form.set(name, value);
  form.set(FileFormName, typeof content === "string" ? new File([content], "text.txt") : content);
  return form;
}

/** Sends something as a file of settings says; answers what ShareX shows of the answer. */
export async function sendByShareX(settings: string, content: File | string) {
  const described = uploader.parse(JSON.parse(settings));
  const headers = Object.entries(described.Headers ?? {}).map(([name, value]): [string, string] => [
    name,
    filled(value, ""),
  ]);
  const { RequestMethod: method, RequestURL: url } = described;
  const response = await fetch(url, { method, headers, body: bodyOf(described, content) });
  const answer = (await response.json()) as Record<string, unknown>;
  const shown = (said = "") => filled(said, "", answer);
  if (!response.ok) return { status: response.status, error: shown(described.ErrorMessage) };
  return { status: response.status, url: shown(described.URL), deletion: shown(described.DeletionURL) };
}
