import { UPLOAD_LIFE } from "#contract/limits";
import type { Memory, UploadPorts } from "./ports.ts";
import type { UnfinishedUpload } from "./uploads.ts";

/** A large upload as it is remembered: enough to ask the server, whose word counts for everything else. */
export interface KeptUpload extends UnfinishedUpload {
  readonly fileId: string;
  readonly uploadId: string;
}

/** What tells a file that is picked again. */
export const keyOf = ({ name, size, lastModified }: Pick<File, "name" | "size" | "lastModified">): string =>
  [name, size, lastModified].join("/");

/** Remembers unfinished uploads for UPLOAD_LIFE. A memory that fails is one that remembers nothing. */
export function createKept({ memory, now }: Pick<UploadPorts, "memory" | "now">) {
  // One after the other: what is dropped must not come back by a write that was on its way.
  let line: Promise<unknown> = Promise.resolve();
  const inLine = <T>(act: (memory: Memory) => Promise<T>, otherwise: T): Promise<T> => {
    const done = line.then(() => act(memory)).catch(() => otherwise);
    line = done;
    return done;
  };

  const read = async (key: string): Promise<KeptUpload | undefined> => {
    const value = await memory.get(key);
    if (isKept(value) && now() - value.savedAt < UPLOAD_LIFE) return value;
    if (value !== null && value !== undefined) await memory.remove(key);
    return undefined;
  };

  return {
    find: (key: string) => inLine(() => read(key), undefined),
    keep: (upload: Omit<KeptUpload, "savedAt">) =>
      inLine(() => memory.set(upload.key, { ...upload, savedAt: now() }), undefined),
    drop: (key: string) => inLine(() => memory.remove(key), undefined),
    /** All that are young enough, the newest first. */
    all: () =>
      inLine(async () => {
        const found = await Promise.all((await memory.keys()).map(read));
        return found.filter((upload) => upload !== undefined).sort((one, other) => other.savedAt - one.savedAt);
      }, []),
  };
}

export type Kept = ReturnType<typeof createKept>;

const shape = {
  key: "string",
  name: "string",
  size: "number",
  sent: "number",
  slug: "string",
  savedAt: "number",
  fileId: "string",
  uploadId: "string",
} as const;

// Another version of these pages may have written it.
function isKept(value: unknown): value is KeptUpload {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  return Object.entries(shape).every(([name, type]) => typeof fields.get(name) === type);
}
