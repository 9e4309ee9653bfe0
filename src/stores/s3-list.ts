import { compareBytes } from "../lib/byte-order.ts";
import { typeOfName } from "../lib/mime.ts";
import { isKey } from "./s3-address.ts";
import { plainTag } from "./s3-answers.ts";
import type { Control } from "./s3-control.ts";
import type { Retries } from "./s3-retries.ts";
import { unreadable } from "./s3-trouble.ts";
import type { ListPage, ListRequest, ObjectHead } from "./store.ts";

interface ListNeeds {
  readonly control: Control;
  readonly retries: Retries;
  readonly bucket: string;
}

/** Entries that S3 answers at most at once. */
const PAGE = 1000;
/** No honest storage answers so many pages in a row with nothing on them. */
const MOST_EMPTY_PAGES = 100;
/** Sorts behind everything that can stand after a slash. */
const LAST = "\u{10ffff}";

/** Lists of any length (ListObjectsV2), page by page. */
export function createList({ control, retries, bucket }: ListNeeds) {
  const ask = ({ prefix, delimiter }: ListRequest, most: number, from: From) =>
    retries.again(() =>
      control.ask(({ sdk, client }) =>
        client.send(
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
      if (answer.IsTruncated === undefined) throw unreadable();
      const { Contents: found = [], CommonPrefixes: folded = [] } = answer;
      objects.push(...found.flatMap((one) => headOf(text(one.Key), one)));
      folders.push(...folded.flatMap(({ Prefix }) => text(Prefix) ?? []));
      last.key = [last.key, text(found.at(-1)?.Key), text(folded.at(-1)?.Prefix)].reduce<string>(later, "");
      const token = answer.NextContinuationToken;
      if (!answer.IsTruncated) return { objects, folders, next: undefined };
      if (objects.length + folders.length >= request.limit) return { objects, folders, next: last.key };
      empty = found.length + folded.length > 0 ? 0 : empty + 1;
      if (!token || empty > MOST_EMPTY_PAGES) throw unreadable("endless list");
      from = { ContinuationToken: token };
    }
  };
}

type From = { readonly StartAfter: string | undefined } | { readonly ContinuationToken: string };

const later = (one: string, other: string | undefined): string =>
  other !== undefined && compareBytes(other, one) > 0 ? other : one;

/** A folder that the list has come to is over, whatever lies in it; S3 would begin it once more. */
function startOf({ prefix, delimiter, after }: ListRequest): string | undefined {
  if (!after) return undefined;
  const slash = delimiter && after.startsWith(prefix) ? after.indexOf(delimiter, prefix.length) : -1;
  return slash < 0 ? after : `${after.slice(0, slash + 1)}${LAST}`;
}

/** A key of an answer that was asked to encode them, because XML cannot carry all; undefined when it is no text. */
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

/** Keys that no URL can carry are left out: nothing could be done with them. */
function headOf(key: string | undefined, { Size, ETag, LastModified }: Listed): ObjectHead[] {
  const etag = plainTag(ETag);
  if (key === undefined || !isKey(key)) return [];
  if (Size === undefined || etag === undefined || !LastModified) throw unreadable("no size or no ETag");
  // A HEAD tells whole seconds.
  const modified = Math.floor(LastModified.getTime() / 1000) * 1000;
  return [{ key, size: Size, etag, type: typeOfName(key), modified }];
}
