import { compareBytes } from "#contract/paths";
import { typeOfName } from "../../lib/mime.ts";
import type { ListPage, ListRequest, ObjectHead } from "../store.ts";
import { isKey } from "./address.ts";
import type { Client } from "./client.ts";
import { invalidAnswer } from "./errors.ts";
import { parseEtag } from "./requests.ts";
import type { Retries } from "./timeouts.ts";

interface ListNeeds {
  readonly client: Client;
  readonly retries: Retries;
  readonly bucket: string;
}

/** The most entries of one answer of S3. */
const PAGE = 1000;
/** After so many empty pages in a row, a list counts as endless. */
const MOST_EMPTY_PAGES = 100;
/** Sorts after every other character. */
const LAST = "\u{10ffff}";

/** Lists objects and folders (ListObjectsV2), with as many requests as it takes. */
export function createList({ client, retries, bucket }: ListNeeds) {
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
      objects.push(...found.flatMap((one) => headOf(text(one.Key), one)));
      folders.push(...folded.flatMap(({ Prefix }) => text(Prefix) ?? []));
      last.key = [last.key, text(found.at(-1)?.Key), text(folded.at(-1)?.Prefix)].reduce<string>(later, "");
      const token = answer.NextContinuationToken;
      if (!answer.IsTruncated) return { objects, folders, next: undefined };
      if (objects.length + folders.length >= request.limit) return { objects, folders, next: last.key };
      empty = found.length + folded.length > 0 ? 0 : empty + 1;
      if (!token || empty > MOST_EMPTY_PAGES) throw invalidAnswer("endless list");
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

/** Leaves out keys that no URL can carry. */
function headOf(key: string | undefined, { Size, ETag, LastModified }: Listed): ObjectHead[] {
  const etag = parseEtag(ETag);
  if (key === undefined || !isKey(key)) return [];
  if (Size === undefined || etag === undefined || !LastModified) throw invalidAnswer("no size or no ETag");
  // In whole seconds, like the answer to a HEAD.
  const modified = Math.floor(LastModified.getTime() / 1000) * 1000;
  return [{ key, size: Size, etag, type: typeOfName(key), modified }];
}
