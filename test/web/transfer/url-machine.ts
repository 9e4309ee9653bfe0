import type { SourceFile } from "#contract/url-uploads";
import type { OpenUrl } from "../../../web/transfer/from-url/download.ts";
import type { UrlTask, UrlUpload } from "../../../web/transfer/from-url/upload.ts";
import type { UploadServer } from "../../support/page-servers/upload-server.ts";
import { urlUploadAt } from "../../support/page-servers/uploads-at.ts";

export const MiB = 1024 * 1024;

const sourceOf = (more: Partial<SourceFile> = {}): SourceFile => ({
  url: "https://files.test/report.bin",
  filename: "report.bin",
  contentType: "application/x-test",
  size: 5,
  lastModified: null,
  method: "HEAD",
  corsSupported: true,
  type: 0,
  typeName: "unknown",
  ...more,
});

export const taskOf = ({
  source,
  ...more
}: Partial<Omit<UrlTask, "source">> & { source?: Partial<SourceFile> } = {}): UrlTask => ({
  source: sourceOf(source),
  name: "report.bin",
  method: "presigned",
  options: {},
  most: undefined,
  ...more,
});

/** Hands a file out in pieces, and breaks off after so many bytes when it is to. */
export function answerOf(
  file: File,
  { breakAt = Number.POSITIVE_INFINITY, chunk = 64 * 1024, onChunk = (_bytes: number): void => undefined } = {},
): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at >= breakAt) throw new TypeError("network error");
        if (at >= file.size) return controller.close();
        const to = Math.min(at + chunk, file.size, breakAt);
        controller.enqueue(await file.slice(at, to).bytes());
        onChunk(to - at);
        at = to;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body);
}

const never: OpenUrl = () => Promise.reject(new TypeError("Failed to fetch"));
export const gives =
  (file: File, how?: Parameters<typeof answerOf>[1]): OpenUrl =>
  async () =>
    answerOf(file, how);

/** The machine on a web, and everything that it has shown. */
export function machineOn(server: UploadServer, open: { direct?: OpenUrl; proxy?: OpenUrl }, choices = {}) {
  const asked: string[] = [];
  const noting =
    (way: "direct" | "proxy"): OpenUrl =>
    (url, signal) => {
      asked.push(way);
      return (open[way] ?? never)(url, signal);
    };
  const at = urlUploadAt(server.base, { direct: noting("direct"), proxy: noting("proxy") }, choices);
  const shown: UrlUpload[] = [];
  at.machine.state.subscribe(() => {
    const upload = at.machine.state.get();
    if (upload) shown.push(upload);
  });
  const now = (): UrlUpload => {
    const upload = at.machine.state.get();
    if (!upload) throw new Error("Nothing is shown.");
    return upload;
  };
  const ends = () => at.clock.until(() => !at.machine.isBusy());
  return { ...at, asked, shown, now, ends, stages: () => [...new Set(shown.map(({ stage }) => stage))] };
}
