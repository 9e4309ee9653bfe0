import { t } from "../../../i18n/i18n.ts";
import type { UrlUpload } from "../../../transfer/url-upload.ts";
import { problemText as uploadProblem } from "../../../ui/upload-row/problems.ts";

const words = {
  network: "upload.fromUrl.problem.network",
  timeout: "upload.fromUrl.problem.timeout",
  sourceChanged: "upload.fromUrl.problem.sourceChanged",
} as const;

const isOfSource = (code: string): code is keyof typeof words => Object.hasOwn(words, code);

/** What happened to a file from the web and what to do, as a sentence; while it went up it is what every upload says. */
export function problemText({ failure, sent, received, size, task }: UrlUpload): string {
  if (!failure) return "";
  const isDown = size !== null && received === size;
  if (isOfSource(failure.code) && !isDown) return t(words[failure.code]);
  const multipart = task.method === "multipart";
  return uploadProblem(failure, { multipart, sent, wanted: task.options.slug || undefined, file: { size: size ?? 0 } });
}
