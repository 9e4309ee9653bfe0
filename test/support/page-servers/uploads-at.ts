import { createCall } from "../../../web/api/call.ts";
import { createCredential, type SessionState } from "../../../web/api/session/credential.ts";
import { createKeyValue } from "../../../web/lib/storage.ts";
import { createStore } from "../../../web/lib/store.ts";
import { createTabs } from "../../../web/lib/tabs.ts";
import { failed } from "../../../web/transfer/failures.ts";
import type { UrlPorts } from "../../../web/transfer/from-url/run.ts";
import { createUrlToStorage } from "../../../web/transfer/from-url/to-storage.ts";
import { createUploads } from "../../../web/transfer/list/create-uploads.ts";
import type { Memory, Put } from "../../../web/transfer/ports.ts";
import type { Digest } from "../../../web/transfer/resume/options-key.ts";
import { shareTarget } from "../../../web/transfer/targets/share-target.ts";
import type { UploadItem, Uploads } from "../../../web/transfer/uploads.ts";
import { type Clock, createClock } from "../../web/transfer/clock.ts";

const storage = createKeyValue(() => localStorage);

/** Sends bytes by fetch, which tells of them only when they are there. */
export const putByFetch: Put = async ({ url, body, headers, signal, onProgress }) => {
  try {
    const { status, headers: answered } = await fetch(url, { method: "PUT", body, headers, signal });
    onProgress(body.size);
    return { status, etag: answered.get("etag") };
  } catch {
    throw failed(signal.aborted ? "aborted" : "network");
  }
};

/**
 * As `putByFetch`, with what a browser adds for a page of this origin: elsewhere it asks first, and without the headers of
 * CORS it sends nothing or tells nothing of the answer (Fetch standard, section 3.3).
 */
export const putFrom =
  (home: string): Put =>
  async (request) => {
    if (new URL(request.url).origin === home) return putByFetch(request);
    const open = ({ headers }: Response) => headers.get("access-control-allow-origin") === "*";
    const { url, body, headers, signal, onProgress } = request;
    try {
      if (!open(await fetch(url, { method: "OPTIONS", signal }))) throw failed("network");
      const response = await fetch(url, { method: "PUT", body, headers, signal });
      onProgress(body.size);
      if (!open(response)) throw failed("network");
      const exposed = response.headers.get("access-control-expose-headers")?.toLowerCase().includes("etag");
      return { status: response.status, etag: exposed ? response.headers.get("etag") : null };
    } catch {
      throw failed(signal.aborted ? "aborted" : "network");
    }
  };

/** A memory that lasts as long as the test, in place of the browser's. */
export function createTestMemory(): Memory & { readonly values: Map<string, unknown> } {
  const values = new Map<string, unknown>();
  return {
    values,
    get: async (key) => structuredClone(values.get(key) ?? null),
    set: async (key, value) => void values.set(key, structuredClone(value)),
    remove: async (key) => void values.delete(key),
    keys: async () => [...values.keys()],
  };
}

/** Web Locks as one browser has them, for as many tabs as are opened on them. */
export function createTestLocks(): Pick<LockManager, "request" | "query"> {
  const held: { readonly name: string; readonly mode: LockMode; readonly until: Promise<unknown> }[] = [];
  const isFree = (name: string, mode: LockMode) =>
    held.every((one) => one.name !== name || (mode === "shared" && one.mode === "shared"));
  const request = async (name: string, options: LockOptions, act: (lock: Lock | null) => unknown) => {
    const { mode = "exclusive", ifAvailable = false, signal } = options;
    while (!isFree(name, mode)) {
      if (ifAvailable) return act(null);
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    const one = { name, mode, until: Promise.resolve(act({ name, mode })) };
    held.push(one);
    try {
      return await one.until;
    } finally {
      held.splice(held.indexOf(one), 1);
    }
  };
  return { request: request as LockManager["request"], query: async () => ({ held: [...held], pending: [] }) };
}

interface Choices {
  readonly memory?: Memory;
  readonly put?: Put;
  readonly clock?: Clock;
  readonly locks?: Pick<LockManager, "request" | "query">;
  /** Who is signed in. */
  readonly account?: () => string | undefined;
  readonly digest?: Digest;
  /** Whether the page came by https. */
  readonly secure?: boolean;
  /** Where the page takes the server to be. */
  readonly home?: string;
}

/** What a machine stands on, against a server at this address and with time in the test's hand. */
export function portsAt(
  base: string,
  {
    memory = createTestMemory(),
    put = putByFetch,
    clock = createClock(),
    locks,
    account = () => "admin",
    digest = async (text) => `digest of ${Bun.hash(text)}`,
    secure = false,
    home = base,
  }: Choices = {},
) {
  const credential = createCredential(storage);
  const wire = { base: () => `${base}/api`, language: () => "en" as const };
  const call = createCall({ ...wire, credential });
  /** Calls of a session that may have ended. */
  const callAs = (token: string) => {
    const left = createStore<SessionState>({ authType: "admin", token, username: "admin", lastValidated: 0 });
    return createCall({ ...wire, credential: { state: left, signOut: () => undefined } });
  };
  let network: (online: boolean) => void = () => undefined;
  const onNetwork = (listener: typeof network) => {
    network = listener;
  };
  const { now, sleep, every } = clock;
  const ports = {
    call,
    put,
    sleep,
    every,
    now,
    home: () => home,
    secure: () => secure,
    memory,
    onNetwork,
    account,
    tabs: createTabs(locks),
    digest,
    newKey: () => crypto.randomUUID(),
  };
  return { ports, call, callAs, clock, memory, credential, network: (online: boolean) => network(online) };
}

/** The machine of files against a server at this address. */
export function uploadsAt(base: string, choices: Choices = {}) {
  const { ports, ...rest } = portsAt(base, choices);
  return { uploads: createUploads({ ...ports, target: shareTarget }), ...rest };
}

/** The machine of files on the web against a server at this address; `open` is the web. */
export function urlUploadAt(base: string, open: UrlPorts["open"], choices: Choices = {}) {
  const { ports, ...rest } = portsAt(base, choices);
  return { machine: createUrlToStorage({ ...ports, open }), ...rest };
}

/** The row of that name. */
export function row(uploads: Uploads, name: string): UploadItem {
  const item = uploads.items.get().find(({ file }) => file.name === name);
  if (!item) throw new Error(`There is no row ${name}.`);
  return item;
}

/** Waits until the row is as it is wanted; the test's own time limit ends what never happens. */
export const reaches = (
  { uploads, clock }: { readonly uploads: Uploads; readonly clock: Clock },
  name: string,
  wanted: Partial<UploadItem>,
): Promise<void> => {
  const entries = Object.entries(wanted);
  return clock.until(() => {
    const fields = new Map(Object.entries(row(uploads, name)));
    return entries.every(([field, value]) => Object.is(fields.get(field), value));
  });
};

const MiB = 1024 * 1024;

/** A file of so many bytes whose parts all differ. */
export function fileOf(name: string, size: number): File {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 4096) bytes[at] = (at / 4096) % 251;
  if (size > 0) bytes[size - 1] = 7;
  return new File([bytes], name, { type: "application/x-test", lastModified: 1_700_000_000_000 });
}

/** 33 MiB: seven parts, the last one of 3 MiB. */
export const largeFile = (name = "large.bin"): File => fileOf(name, 33 * MiB);
export const PARTS = 7;

/** Reports whether the server's bytes are those of the file. */
export const isSameAs = async (bytes: Uint8Array | undefined, file: File): Promise<boolean> =>
  bytes !== undefined && Buffer.compare(bytes, await file.bytes()) === 0;
