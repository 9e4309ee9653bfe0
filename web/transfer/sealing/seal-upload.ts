import { isFailure } from "../../api/failure.ts";
import { keyOf } from "../../lib/file-origin.ts";
import { newIdentity } from "../../sealed/locks.ts";
import { type SealedNames, sealNames } from "../../sealed/names.ts";
import { isSealedWith, type Sealed, type SealState, sealAgain, sealFile } from "../../sealed/seal.ts";
import { failed, isForgottenUpload } from "../failures.ts";
import { createMultipart } from "../multipart/multipart.ts";
import type { Payload } from "../payload.ts";
import { markOf } from "../resume/options-key.ts";
import { idsOf, type KeptSealing, type StoredUpload } from "../resume/upload-store.ts";
import { createSingle } from "../single.ts";
import type { UploadContext, Uploader, UploadTask } from "../uploader.ts";
import type { Seal, SealedLink, UploadOptions } from "../uploads.ts";
import { isBundle } from "./bundle.ts";

/** Bytes of the beginning and of the end by which content is known again. */
const LOOKED_AT = 1024 * 1024;
const UNKNOWN_TYPE = "application/octet-stream";

/** A file as it is sealed, and what a later visit needs to seal it the same way. */
interface Sealing {
  readonly sealed: Sealed;
  readonly kept: KeptSealing;
}

interface Wanted extends Seal, Pick<UploadTask, "options"> {
  readonly file: File;
}

const hex = (bytes: Uint8Array): string => bytes.toHex();

async function contentOf(file: File): Promise<string> {
  const ends = new Blob([file.slice(0, LOOKED_AT), file.slice(Math.max(LOOKED_AT, file.size - LOOKED_AT))]);
  const bytes = await ends.arrayBuffer().catch(() => {
    throw failed("fileUnreadable");
  });
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Whether what is kept of an earlier visit opens with what is sealed with now. A password takes a second to try, and is tried last. */
async function isSameLock(kept: KeptSealing, { password = "", recipient = "" }: Seal): Promise<boolean> {
  if (kept.recipient !== recipient || (kept.key === "") !== (password !== "" || recipient !== "")) return false;
  return password === "" || (await isSealedWith(kept.state, password));
}

/** Seals for a recipient, with the password, or with a new key. */
async function sealAnew(wanted: Wanted): Promise<Sealing> {
  const { file, password, recipient } = wanted;
  const key = password || recipient ? "" : await newIdentity();
  const lock = recipient ? { recipient } : password ? { password } : { identity: key };
  const sealed = await sealFile(file, lock);
  const { state } = sealed;
  const names = recipient ? "" : await sealNames(namesOf(wanted, state), lock);
  const id = hex(state.nonce);
  return { sealed, kept: { state, key, id, names, recipient: recipient ?? "", content: await contentOf(file) } };
}

const namesOf = ({ file, password, kind }: Wanted, { fileKey }: SealState): SealedNames => ({
  name: file.name,
  type: file.type || UNKNOWN_TYPE,
  kind: kind ?? (isBundle(file) ? "files" : "file"),
  size: file.size,
  // So that a password, which takes a second each time, opens the names and the content at once.
  ...(password ? { fileKey: fileKey.toBase64() } : {}),
});

/** The password is inside. */
const optionsWith = (options: UploadOptions, { names, id }: KeptSealing): UploadOptions => ({
  ...options,
  password: "",
  sealed: { names, id },
});

/**
 * Whether this tab can go on with an earlier upload: no other one is at it, and the server still has it. If not, all of the file goes once more,
 * and nobody has looked at all of it: it gets a key of its own. Throws ApiFailure.
 */
async function canGoOn({ tabs, call, target }: UploadContext, earlier: StoredUpload): Promise<boolean> {
  const release = await tabs.claim(earlier.fileId);
  if (!release) return false;
  try {
    await target.parts(call, idsOf(earlier));
    return true;
  } catch (error) {
    // Nothing more of it is sent then.
    if (isFailure(error, "upload.finished")) return true;
    if (isForgottenUpload(error)) return false;
    throw error;
  } finally {
    release();
  }
}

/** How an earlier visit has sealed the same content in the same way; undefined if that is not sure. Throws ApiFailure. */
async function sealingBefore(context: UploadContext, wanted: Wanted): Promise<Sealing | undefined> {
  const { file } = wanted;
  const account = context.account();
  const earlier = account === undefined ? undefined : await context.kept.find({ account, key: keyOf(file) });
  const kept = earlier?.sealing;
  if (!kept || kept.content !== (await contentOf(file))) return undefined;
  // With other options the whole file goes once more, and nobody has looked at all of it.
  const mark = await markOf(optionsWith(wanted.options(), kept), earlier.fileId, context.digest);
  if (mark !== earlier.mark || !(await isSameLock(kept, wanted)) || !(await canGoOn(context, earlier)))
    return undefined;
  const sealed = sealAgain(file, kept.state);
  return sealed.size === earlier.size ? { sealed, kept } : undefined;
}

/** The sealed bytes as they are uploaded: each part is sealed when it is sent. */
const payloadOf = (file: File, sealed: Sealed, type = file.type): Payload => ({
  name: file.name,
  type,
  lastModified: file.lastModified,
  webkitRelativePath: file.webkitRelativePath,
  key: keyOf(file),
  size: sealed.size,
  slice: (from, to) =>
    sealed.slice(from, to).catch(() => {
      throw failed("fileUnreadable");
    }),
});

/** Counts in the bytes that the person knows of. */
function inPlainBytes(uploader: Uploader, plain: number, sealed: number): Uploader {
  const scale = (bytes: number) => Math.floor((bytes / sealed) * plain);
  return {
    ...uploader,
    progress() {
      const { sent, resumed, ...rest } = uploader.progress();
      return { ...rest, sent: scale(sent), resumed: scale(resumed) };
    },
  };
}

/**
 * Seals a file with a key of its own or with a password, and makes what sends it. It goes on with what an earlier visit has sent only where
 * the content is the same. Throws ApiFailure, fileUnreadable among others.
 */
export async function sealUpload(
  context: UploadContext,
  task: UploadTask,
  seal: Seal,
): Promise<{ readonly uploader: Uploader; readonly sealed: SealedLink }> {
  const { file, options } = task;
  const wanted = { file, options, ...seal };
  const { sealed, kept } = (await sealingBefore(context, wanted)) ?? (await sealAnew(wanted));
  const { key } = kept;
  const create = sealed.size >= context.multipartFrom() ? createMultipart : createSingle;
  const uploader = create(context, {
    ...task,
    file: payloadOf(file, sealed, seal.recipient && UNKNOWN_TYPE),
    sealing: kept,
    options: () => optionsWith(options(), kept),
  });
  return { uploader: inPlainBytes(uploader, file.size, sealed.size), sealed: { key } };
}
