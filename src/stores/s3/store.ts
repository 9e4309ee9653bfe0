import { STORAGE_PATIENCE, TRANSFER_PATIENCE } from "#contract/limits";
import { compareBytes } from "#contract/paths";
import type { Clock } from "../../lib/clock.ts";
import { typeOfName } from "../../lib/mime.ts";
import type { Fetch } from "../../lib/pinned-fetch.ts";
import type { ListPage, ListRequest, ObjectHead, ObjectStore, Recheck } from "../store.ts";
import { type BucketConfig, checkKey, isKey, readAddress } from "./address.ts";
import { type Bucket, createClient } from "./client.ts";
import { createCopy } from "./copy.ts";
import { invalidAnswer, isNotFound, S3Error } from "./errors.ts";
import { createGet } from "./get.ts";
import { createHead } from "./head.ts";
import { createS3Multiparts } from "./multipart.ts";
import { createPartBuffers, type PartBuffers } from "./part-buffers.ts";
import { createPut } from "./put.ts";
import { createRequests, parseEtag } from "./requests.ts";
import { createStreams, type Streams } from "./streams.ts";
import { createBreaker, createRetries, type RetryDeps, type Timeouts, timeoutFor } from "./timeouts.ts";

export interface S3StoreOptions extends BucketConfig, RetryDeps {
  readonly accessKey: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly timeouts?: Timeouts;
  /** The bytes that one request may write or copy. */
  readonly largest?: number;
  /** Shared with other storages. */
  readonly buffers?: PartBuffers;
  /** Shared with other storages. */
  readonly streams?: Streams;
}

/** Milliseconds. */
const TIMEOUTS: Timeouts = { answer: STORAGE_PATIENCE, idle: TRANSFER_PATIENCE };
/** The limit of all providers; that of S3 is a little higher. */
const LARGEST = 5_000_000_000;

/** The keys of one DeleteObjects. */
const BATCH = 1000;
/** The milliseconds that a storage may take to remove one key. */
const SLOWEST_KEY = 20;

/**
 * Opens a bucket of AWS S3 or a compatible storage: Cloudflare R2, Backblaze B2, MinIO, Aliyun OSS, Ceph. Only small objects are
 * held in memory as a whole. 400 storage.endpoint.
 */
export function createS3Store(options: S3StoreOptions): ObjectStore {
  const { bucket, clock, fetch, timeouts = TIMEOUTS, largest = LARGEST, buffers = createPartBuffers() } = options;
  const credentials = { accessKey: options.accessKey.trim(), secret: options.secret.trim() };
  const breaker = createBreaker();
  const guarded: Fetch = async (url, init) => {
    breaker.assertClosed();
    const response = await fetch(url, init);
    breaker.onAnswer();
    return response;
  };
  const connection = {
    address: readAddress(options),
    credentials,
    clock,
    fetch: guarded,
    timeouts,
    onTimeout: breaker.onTimeout,
  };
  const requests = createRequests(connection);
  const retries = createRetries(options);
  const commands = { bucket, client: createClient(connection), retries };
  const head = createHead({ requests, retries, clock });
  const get = createGet({ requests, retries, clock, streams: options.streams ?? createStreams(), head });
  const multiparts = createS3Multiparts(commands, head);
  const { put, putPart } = createPut({ requests, retries, multiparts, head, largest, buffers });

  return {
    head,
    get,
    put,
    remove: createRemove(commands),
    copy: createCopy({ ...commands, multiparts, head, largest }),
    list: createList(commands),
    free: async () => undefined,
    capacity: async () => undefined,
    presign: requests.presign,
    createMultipart: multiparts.create,
    putPart,
    listParts: multiparts.list,
    nextParts: async () => undefined,
    completeMultipart: multiparts.complete,
    completed: multiparts.completed,
    abortMultipart: multiparts.abort,
    abortMultiparts: multiparts.abortAll,
  };
}

/** Removes objects. A failure does not stop the removal of others, and is thrown in the end. */
function createRemove({ client, retries, bucket }: Bucket) {
  /** DeleteObject, which every storage has. */
  const removeOne = async (key: string): Promise<void> => {
    await client
      .run(({ sdk, s3 }) => s3.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })))
      .catch((error) => {
        if (!isNotFound(error)) throw error;
      });
  };

  /** DeleteObjects. Returns the keys that it failed for, with their errors. */
  const removeMany = async (keys: readonly string[]): Promise<Map<string, S3Error>> => {
    const input = { Bucket: bucket, Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) } };
    const limit = { requestTimeout: timeoutFor.many(client.timeouts, keys.length, SLOWEST_KEY) };
    const { Errors = [] } = await client.run(({ sdk, s3 }) => s3.send(new sdk.DeleteObjectsCommand(input), limit));
    const failed = Errors.map(({ Key = "", Code = "" }) => [Key, new S3Error(200, Code)] as const);
    return new Map(failed.filter(([, error]) => !isNotFound(error)));
  };

  const removeBatch = (keys: readonly string[], beforeCommit: Recheck | undefined): Promise<void> => {
    let left = keys;
    return retries.retry(async () => {
      await beforeCommit?.();
      if (left.length === 1) return await removeOne(left[0] ?? "");
      const failed = await removeMany(left);
      left = [...failed.keys()];
      for (const error of failed.values()) throw error;
    });
  };

  return async (
    keys: readonly string[],
    { beforeCommit }: { readonly beforeCommit?: Recheck | undefined } = {},
  ): Promise<void> => {
    keys.forEach(checkKey);
    const failures: unknown[] = [];
    for (let at = 0; at < keys.length; at += BATCH) {
      await removeBatch(keys.slice(at, at + BATCH), beforeCommit).catch((error) => failures.push(error));
    }
    for (const failure of failures) throw failure;
  };
}

/** The most entries of one answer of S3. */
const PAGE = 1000;
/** After so many empty pages in a row, a list counts as endless. */
const MAX_EMPTY_PAGES = 100;
/** Sorts after every other character. */
const LAST = "\u{10ffff}";

/**
 * Lists objects and folders (ListObjectsV2), with as many requests as it takes. 502 storage.broken for a list that is not the one that was
 * asked for or does not move on: whoever walks it would remove or copy what is elsewhere, or never come to an end.
 */
function createList({ client, retries, bucket }: Bucket) {
  const ask = ({ prefix, delimiter }: ListRequest, most: number, from: From) =>
    retries.retry(() =>
      client.run(({ sdk, s3 }) =>
        s3.send(
          new sdk.ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            Delimiter: delimiter,
            MaxKeys: Math.min(most, PAGE),
            EncodingType: "url",
            ...from,
          }),
        ),
      ),
    );

  return async (request: ListRequest): Promise<ListPage> => {
    const objects: ObjectHead[] = [];
    const folders: string[] = [];
    const last = { key: "" };
    let from: From = { StartAfter: startOf(request) };
    for (let empty = 0; ; ) {
      const most = request.limit - objects.length - folders.length;
      const answer = await ask(request, most, from);
      const text = answer.EncodingType === "url" ? decoded : (key = "") => key;
      if (answer.IsTruncated === undefined) throw invalidAnswer();
      const { Contents: found = [], CommonPrefixes: folded = [] } = answer;
      for (const key of [...found.map(({ Key }) => text(Key)), ...folded.map(({ Prefix }) => text(Prefix))])
        if (key !== undefined && !key.startsWith(request.prefix)) throw invalidAnswer("another list");
      objects.push(...found.flatMap((one) => headOf(text(one.Key), one)));
      folders.push(...folded.flatMap(({ Prefix }) => folderOf(text(Prefix))));
      last.key = [last.key, text(found.at(-1)?.Key), text(folded.at(-1)?.Prefix)].reduce<string>(later, "");
      const token = answer.NextContinuationToken;
      if (!answer.IsTruncated) return { objects, folders, next: undefined };
      const isFull = objects.length + folders.length >= request.limit;
      if (isFull && compareBytes(last.key, request.after ?? "") > 0) return { objects, folders, next: last.key };
      empty = found.length + folded.length > 0 ? 0 : empty + 1;
      const isEndless = isFull || token === ("ContinuationToken" in from && from.ContinuationToken);
      if (!token || isEndless || empty > MAX_EMPTY_PAGES) throw invalidAnswer("endless list");
      from = { ContinuationToken: token };
    }
  };
}

type From = { readonly StartAfter: string | undefined } | { readonly ContinuationToken: string };

const later = (one: string, other: string | undefined): string =>
  other !== undefined && compareBytes(other, one) > 0 ? other : one;

/** Where a list continues. After a folder, all of its keys are skipped, or S3 would list the folder again. */
function startOf({ prefix, delimiter, after }: ListRequest): string | undefined {
  if (!after) return undefined;
  const slash = delimiter && after.startsWith(prefix) ? after.indexOf(delimiter, prefix.length) : -1;
  return slash < 0 ? after : `${after.slice(0, slash + 1)}${LAST}`;
}

/** Decodes a percent-encoded key (XML cannot carry every character); undefined when it is not UTF-8. */
function decoded(key = ""): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

interface Listed {
  readonly Size?: number | undefined;
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
}

/** Leaves out folders that no URL can carry. */
function folderOf(folder: string | undefined): string[] {
  if (folder === undefined || !isKey(folder)) return [];
  if (!folder.endsWith("/")) throw invalidAnswer("another list");
  return [folder];
}

/** Leaves out keys that no URL can carry. */
function headOf(key: string | undefined, { Size, ETag, LastModified }: Listed): ObjectHead[] {
  const etag = parseEtag(ETag);
  if (key === undefined || !isKey(key)) return [];
  const isSize = Size !== undefined && Number.isSafeInteger(Size) && Size >= 0;
  if (!isSize || etag === undefined || !LastModified) throw invalidAnswer("no size or no ETag");
  // In whole seconds, like the answer to a HEAD.
  const modified = Math.floor(LastModified.getTime() / 1000) * 1000;
  return [{ key, size: Size, etag, type: typeOfName(key), modified }];
}
