import type { Endpoint } from "#contract/endpoint";
import { type ImportEvent, type ImportKind, type ImportReport, imports, type PrivateTexts } from "#contract/imports";
import { createSilence } from "../lib/silence.ts";
import { ApiFailure } from "./failure.ts";
import { lost, sendFile } from "./transport/send-file.ts";

/** How long an import may say nothing, in milliseconds: the server sends a line every 15 seconds. */
const SILENCE = 40_000;

/** A backup that is to be imported. */
interface ImportRequest {
  readonly file: File;
  readonly privateTexts: PrivateTexts;
  readonly signal: AbortSignal;
}

/** How far an import is. */
export interface ImportProgress {
  readonly kind: ImportKind;
  readonly rows: number;
}

const send = (endpoint: Endpoint, { file, privateTexts, signal }: ImportRequest): Promise<Response> =>
  sendFile(endpoint, file, { query: { private_texts: privateTexts }, signal });

/** What an import would do. Throws ApiFailure. */
export async function planImport(request: ImportRequest): Promise<ImportReport> {
  try {
    const response = await send(imports.plan, request);
    return ((await response.json()) as { data: ImportReport }).data;
  } catch (error) {
    throw error instanceof ApiFailure ? error : lost(request.signal);
  }
}

/** Imports a backup and reports what was done; tells how far it is meanwhile. An abort ends it on the server, too. Throws ApiFailure. */
export async function runImport(
  request: ImportRequest,
  progress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const silence = createSilence(SILENCE);
  const signal = AbortSignal.any([request.signal, silence.signal]);
  try {
    const response = await send(imports.run, { ...request, signal });
    for await (const event of eventsOf(response, () => silence.expectMore())) {
      if ("progress" in event) progress(event.progress);
      else if ("report" in event) return event.report;
      else throw failed(event.failure);
    }
    throw lost(request.signal);
  } catch (error) {
    throw error instanceof ApiFailure ? error : lost(request.signal);
  } finally {
    silence.end();
  }
}

const failed = ({ error, message }: { readonly error: string; readonly message: string }): ApiFailure =>
  new ApiFailure({ code: error as ApiFailure["code"], status: 400, message });

/** The lines of JSON that an import answers with. */
async function* eventsOf({ body }: Response, heard: () => void): AsyncGenerator<ImportEvent> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (reader) {
    heard();
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line) as ImportEvent;
  }
}
