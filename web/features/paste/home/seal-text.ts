import type { FileRecord } from "#contract/files";
import { firstLine } from "#contract/text/first-line";
import { browserPorts } from "../../../transfer/browser.ts";
import { failed } from "../../../transfer/failures.ts";
import { createFileUploader } from "../../../transfer/file-uploader.ts";
import { uploadContextOf } from "../../../transfer/list/create-uploads.ts";
import { createWaitCounts } from "../../../transfer/network/priority-queue.ts";
import type { WithRetries } from "../../../transfer/network/with-retries.ts";
import type { Memory, UploadPorts } from "../../../transfer/ports.ts";
import { shareTarget } from "../../../transfer/targets/share-target.ts";
import type { ShareOptions } from "../../../ui/share-options/options.ts";
import { uploadOptionsOf } from "../../../ui/share-options/upload-options.ts";

/** A text to share sealed. */
export interface TextToSeal {
  readonly text: string;
  readonly options: ShareOptions;
  readonly plain: boolean;
}

/** A sealed text and what its link needs; the key is empty with a password. */
interface SealedText {
  readonly file: FileRecord;
  readonly key: string;
}

/** Letters of the name of a text. */
const NAME = 80;

/** The text as a file, named by its note or the line that names it; the name is sealed, too. */
function fileOf({ text, options, plain }: TextToSeal): File {
  const title = (options.remark.trim() || firstLine(text, plain)).replace(/[\p{Cc}\s/\\:*?"<>|]+/gu, " ");
  const name =
    [...title]
      .slice(0, NAME)
      .join("")
      .replace(/^[. ]+/, "")
      .trim() || "text";
  return new File([text], `${name}.${plain ? "txt" : "md"}`, { type: plain ? "text/plain" : "text/markdown" });
}

/** A text goes up in one piece: nothing of it is remembered. */
const noMemory: Memory = {
  get: async () => undefined,
  set: async () => undefined,
  remove: async () => undefined,
  keys: async () => [],
};

/** Somebody waits at the button: what fails is said at once, unless there is another way to the storage. */
const once: WithRetries = async (act, { otherWay }) => {
  try {
    return await act();
  } catch (error) {
    if (await otherWay?.(error)) return act();
    throw error;
  }
};

const never = new AbortController().signal;

/**
 * Makes what shares sealed texts. A text whose answer was lost is sent again as the same upload, so that nobody owns two shares of it and
 * knows of one. The returned function throws ApiFailure.
 */
export function createTextSealing(
  ports: Omit<UploadPorts, "target" | "memory">,
): (wanted: TextToSeal) => Promise<SealedText> {
  const context = { ...uploadContextOf({ ...ports, target: shareTarget, memory: noMemory }), withRetries: once };
  let last: (TextToSeal & { readonly uploader: ReturnType<typeof createFileUploader> }) | undefined;

  const uploaderOf = (wanted: TextToSeal) => {
    const { text, options, plain } = wanted;
    if (last?.text === text && last.options === options && last.plain === plain) return last.uploader;
    void last?.uploader.undo();
    const sent = uploadOptionsOf(options, ports.now(), true);
    const uploader = createFileUploader(context, {
      file: fileOf(wanted),
      order: 0,
      waits: createWaitCounts(),
      options: () => ({ ...sent, seal: { password: options.password, kind: "text" } }),
      onMoved: () => undefined,
      onChange: () => undefined,
    });
    last = { ...wanted, uploader };
    return uploader;
  };

  return async (wanted) => {
    const uploader = uploaderOf(wanted);
    const file = await uploader.upload({ signal: never, dropped: never });
    last = undefined;
    const sealed = uploader.sealed();
    if (!file || !sealed) throw failed("unknown");
    return { file, key: sealed.key };
  };
}

export const sealText = createTextSealing(browserPorts);
