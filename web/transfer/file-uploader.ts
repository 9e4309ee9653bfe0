import { appUpdate } from "../page/app-update.ts";
import { failed, stopIfAborted } from "./failures.ts";
import { createMultipart } from "./multipart/multipart.ts";
import { createSingle } from "./single.ts";
import type { UploadContext, Uploader, UploadTask } from "./uploader.ts";
import type { Seal, SealedLink } from "./uploads.ts";

interface Chosen {
  readonly uploader: Uploader;
  /** How it is sealed; undefined if it is not. */
  readonly seal: Seal | undefined;
  readonly sealed: SealedLink | undefined;
}

const isSame = (one: Seal | undefined, other: Seal | undefined): boolean =>
  one?.password === other?.password && one?.recipient === other?.recipient;

/** Code of its own: most files are not sealed. */
const loadSealing = () =>
  appUpdate
    .arrival(() => import("./sealing/seal-upload.ts"))
    .catch(() => {
      throw failed("network");
    });

/** Makes what sends one file: as it is, or sealed, as its options say at the time. */
export function createFileUploader(context: UploadContext, task: UploadTask) {
  const { file, options, order, waits, onChange } = task;
  let chosen: Chosen | undefined;

  const asItIs = (): Chosen => {
    const create = file.size >= context.multipartFrom() ? createMultipart : createSingle;
    return { uploader: create(context, task), seal: undefined, sealed: undefined };
  };

  const sealed = async (seal: Seal, signal: AbortSignal): Promise<Chosen> => {
    const { sealUpload } = await loadSealing();
    // A password takes a second and much memory, so that a thousand files must not seal at once.
    const make = () => context.turns.take({ order, signal, waits }, () => sealUpload(context, task, seal));
    const made = await context.withRetries(make, { signal, waits });
    return { ...made, seal };
  };

  const choose = async (signal: AbortSignal): Promise<Uploader> => {
    const { seal } = options();
    await chosen?.uploader.undo();
    chosen = undefined;
    const next = seal ? await sealed(seal, signal) : asItIs();
    stopIfAborted(signal);
    chosen = next;
    onChange();
    return next.uploader;
  };

  return {
    upload: async (signals: Parameters<Uploader["upload"]>[0]) => {
      const { seal } = options();
      if (!chosen && !seal) chosen = asItIs();
      if (chosen && isSame(chosen.seal, seal)) return chosen.uploader.upload(signals);
      return (await choose(signals.signal)).upload(signals);
    },
    progress: (): ReturnType<Uploader["progress"]> =>
      chosen?.uploader.progress() ?? {
        sent: 0,
        resumed: 0,
        slug: undefined,
        continues: false,
        finishing: false,
        relayed: false,
      },
    undo: async () => chosen?.uploader.undo(),
    leave: async () => chosen?.uploader.leave(),
    /** What its link needs, once it is sealed. */
    sealed: () => chosen?.sealed,
  };
}
