import { UPLOAD_LIFE } from "#contract/limits";
import type { SealState } from "../../sealed/seal.ts";
import type { Memory, UploadPorts } from "../ports.ts";
import type { Ids } from "../targets/target.ts";
import type { SealedFacts, UnfinishedUpload } from "../uploads.ts";

/** The record of a large upload: its owner, its id on the server, and the options of its share. */
export interface StoredUpload extends UnfinishedUpload {
  /** Identifies the account that was signed in. */
  readonly account: string;
  readonly fileId: string;
  readonly uploadId: string;
  /** Of an upload by a link. */
  readonly receipt?: string | undefined;
  /** Identifies the options of its start. */
  readonly mark: string;
  /** Of a sealed upload. */
  readonly sealing?: KeptSealing | undefined;
}

/** How an unfinished upload is sealed: it goes on only with the same bytes, because a key must never seal two contents at one place. */
export interface KeptSealing extends SealedFacts {
  readonly state: SealState;
  /** The key of its link; empty with a password, and for a recipient. */
  readonly key: string;
  /** The public key of a recipient; empty without one. Nothing of a password is kept: `state` tells whether one fits. */
  readonly recipient: string;
  /** A digest of the beginning and the end of what is sealed. */
  readonly content: string;
}

/** The server's ids of a remembered upload. */
export const idsOf = ({ fileId, uploadId, receipt }: StoredUpload): Ids => ({
  file_id: fileId,
  upload_id: uploadId,
  receipt,
});

/** What identifies a remembered upload: each account has one per file. */
type Place = Pick<StoredUpload, "account" | "key">;

const nameOf = ({ account, key }: Place): string => `${account}\n${key}`;

/** Remembers unfinished uploads until UPLOAD_LIFE after their last progress. If the browser's storage fails, nothing is remembered. */
export function createUploadStore({ memory, now }: Pick<UploadPorts, "memory" | "now">) {
  // One after the other, so that a pending write cannot restore what was dropped after it.
  let line: Promise<unknown> = Promise.resolve();
  const inLine = <T>(act: (memory: Memory) => Promise<T>, otherwise: T): Promise<T> => {
    const done = line.then(() => act(memory)).catch(() => otherwise);
    line = done;
    return done;
  };

  const read = async (name: string): Promise<StoredUpload | undefined> => {
    const value = await memory.get(name);
    if (isKept(value) && now() - value.savedAt < UPLOAD_LIFE)
      return isBegun(value.begun) ? value : { ...value, begun: undefined };
    if (value !== null && value !== undefined) await memory.remove(name);
    return undefined;
  };

  return {
    find: (place: Place) => inLine(() => read(nameOf(place)), undefined),
    keep: (upload: Omit<StoredUpload, "savedAt">) =>
      inLine(() => memory.set(nameOf(upload), { ...upload, savedAt: now() }), undefined),
    /** Forgets this upload, but not another one of the same file, which another tab may have begun. */
    drop: (upload: Place & Pick<StoredUpload, "fileId">) =>
      inLine(async () => {
        const there = await read(nameOf(upload));
        if (there?.fileId === upload.fileId) await memory.remove(nameOf(upload));
      }, undefined),
    /** Returns the uploads of this account that are not too old, newest first. */
    all: (account: string) =>
      inLine(async () => {
        const found = await Promise.all((await memory.keys()).map(read));
        return found
          .flatMap((upload) => (upload?.account === account ? upload : []))
          .sort((one, other) => other.savedAt - one.savedAt);
      }, []),
  };
}

export type UploadStore = ReturnType<typeof createUploadStore>;

const begunShape = {
  ...{ storageId: "string", path: "string", slug: "string", remark: "string", expiryChoice: "string" },
  ...{ maxViews: "number", useProxy: "boolean" },
} as const;

/** Whether these are options as this version keeps them. */
function isBegun(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  const isTime = (time: unknown) => time === undefined || time === null || typeof time === "string";
  return (
    isTime(fields.get("expiresAt")) &&
    Object.entries(begunShape).every(([name, type]) => ["undefined", type].includes(typeof fields.get(name)))
  );
}

const shape = {
  key: "string",
  account: "string",
  mark: "string",
  name: "string",
  size: "number",
  sent: "number",
  slug: "string",
  savedAt: "number",
  fileId: "string",
  uploadId: "string",
} as const;

// Another version of the app may have written it.
function isKept(value: unknown): value is StoredUpload {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  const hasReceipt = ["string", "undefined"].includes(typeof fields.get("receipt"));
  return hasReceipt && Object.entries(shape).every(([name, type]) => typeof fields.get(name) === type);
}
