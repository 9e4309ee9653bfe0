import type { SourceFile } from "#contract/url-uploads";
import { stopIfAborted } from "../failures.ts";
import { createMultipart } from "../multipart/multipart.ts";
import type { UploadPorts } from "../ports.ts";
import { createSingle } from "../single.ts";
import type { UploadContext, Uploader, UploadTask } from "../uploader.ts";
import { createDownload, type Download, type OpenUrl, type Way } from "./download.ts";
import { streamedFile, wholeFile } from "./streamed-file.ts";
import type { UrlTask, UrlUpload } from "./upload.ts";

export interface UrlFilePorts extends Pick<UploadPorts, "sleep" | "secure"> {
  readonly open: Readonly<Record<Way, OpenUrl>>;
}

interface UrlFileParts extends Omit<UploadTask, "file" | "order"> {
  readonly source: SourceFile;
  readonly context: UploadContext;
  /** Called with the stage that begins. */
  readonly onStage: (stage: UrlUpload["stage"]) => void;
}

const stageOf = (way: Way | undefined) => (way === "proxy" ? "proxyDownloading" : "downloading");

/** Downloads a file from the web, and makes what uploads it. */
export function createUrlFile(ports: UrlFilePorts, { source, context, onStage, onChange, ...parts }: UrlFileParts) {
  let size = source.size;
  let download: Download | undefined;
  let uploader: Uploader | undefined;
  /** The file once it was downloaded completely before its upload. */
  let file: File | undefined;
  let broken: unknown;
  /** The present attempt has begun the upload on the server, or taken it up again. */
  let begun = false;
  const uploadParts = {
    ...parts,
    order: 0,
    onChange() {
      begun = true;
      onChange();
    },
  };

  const openDownload = (signal: AbortSignal): Download => {
    const { url, corsSupported } = source;
    // The direct way is pointless if the source does not allow pages (CORS), or is http while the page is https.
    const isOpen = corsSupported && !(ports.secure() && url.startsWith("http:"));
    const onWay = (way: Way) => {
      if (!uploader) onStage(stageOf(way));
    };
    return createDownload(ports, { url, way: isOpen ? "direct" : "proxy", signal, onWay, onBytes: parts.onMoved });
  };

  const begin = async ({ name, method, most }: UrlTask, signal: AbortSignal): Promise<Uploader> => {
    const type = source.contentType;
    download = openDownload(signal);
    if (method === "multipart" && size) {
      onStage("initializing");
      const onBroken = (reason: unknown) => {
        broken ??= reason;
      };
      return createMultipart(context, { ...uploadParts, file: streamedFile(download, { name, type, size, onBroken }) });
    }
    file = await wholeFile(download, { name, type, size, most });
    size = file.size;
    onStage("preparing");
    stopIfAborted(signal);
    onStage("initializing");
    return (method === "multipart" ? createMultipart : createSingle)(context, { ...uploadParts, file });
  };

  return {
    /** Returns what uploads the file, the same at each call. Throws ApiFailure. */
    async prepare(task: UrlTask, signal: AbortSignal): Promise<Uploader> {
      begun = false;
      uploader ??= await begin(task, signal);
      return uploader;
    },
    uploader: () => uploader,
    /** Reports whether the file can be uploaded again without another download. */
    isKept: () => file !== undefined && uploader !== undefined,
    progress() {
      const received = download?.received() ?? 0;
      const { sent = 0, relayed = false } = uploader?.progress() ?? {};
      return { received, sent, relayed, size, whole: file !== undefined };
    },
    /** Returns the stage of a file whose upload has begun; undefined before. */
    stage(): UrlUpload["stage"] | undefined {
      if (!uploader || !begun) return undefined;
      if (uploader.progress().finishing) return "finalizing";
      return file !== undefined || download?.received() === size ? "uploading" : stageOf(download?.way());
    },
    /** Why the download failed while the file was already being uploaded. */
    broken: () => broken,
    /** Cancels the download. */
    leave: () => download?.leave(),
  };
}
