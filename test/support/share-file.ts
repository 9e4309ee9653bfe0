import { readdirSync } from "node:fs";
import type { CallInput, CallOutput, Endpoint } from "#contract/endpoint";
import type { FileRecord } from "#contract/files";
import { uploads } from "#contract/uploads";
import { sql } from "../../src/database/sql.ts";
import type { TestHouse } from "./test-house.ts";

type DataOf<E extends Endpoint> = CallOutput<E> extends { data: infer Data } ? Data : undefined;

/** An answer in its envelope; `data` is null when `error` says why. */
export interface CallResult<Data> {
  readonly status: number;
  readonly error?: string;
  readonly message: string;
  readonly data: Data;
}

/** Calls an endpoint as the administrator. */
export async function ask<E extends Endpoint>(
  house: TestHouse,
  { method, path }: E,
  input: CallInput<E>,
  headers: Readonly<Record<string, string>> = {},
): Promise<CallResult<DataOf<E>>> {
  const { params = {}, body } = input as { params?: Record<string, string>; body?: unknown };
  const url = `/api${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "")}`;
  const response = await house.request(url, {
    method,
    headers: { authorization: `Bearer ${await house.signIn()}`, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { ...((await response.json()) as CallResult<DataOf<E>>), status: response.status };
}

export type FileOptions = Partial<CallInput<typeof uploads.presign>["body"]>;

/** Begins a share of five bytes, unless the fields says otherwise. */
export const presign = (house: TestHouse, fields: FileOptions = {}) =>
  ask(house, uploads.presign, { body: { filename: "note.txt", size: 5, ...fields } });

export const commit = (house: TestHouse, file_id: string) => ask(house, uploads.commit, { body: { file_id } });

/** Sends a body to a presigned address, with the headers that HTTP gives it. */
export const put = (house: TestHouse, url: string, body: string | Uint8Array<ArrayBuffer>, type = "text/plain") =>
  house.request(url, {
    method: "PUT",
    body,
    headers: { "content-type": type, "content-length": String(Buffer.byteLength(body)) },
  });

/** Shares a file as the administrator, by the way that browsers take. */
export async function shareFile(
  house: TestHouse,
  { content = "hello", ...fields }: FileOptions & { content?: string | Uint8Array<ArrayBuffer> } = {},
): Promise<FileRecord> {
  const begun = await presign(house, { size: Buffer.byteLength(content), ...fields });
  if (begun.status !== 200) throw new Error(`presign: ${begun.error}`);
  const sent = await put(house, begun.data.upload_url, content, begun.data.contentType);
  if (sent.status !== 200) throw new Error(`PUT: ${await sent.text()}`);
  const { data, error } = await commit(house, begun.data.file_id);
  if (error) throw new Error(`commit: ${error}`);
  return data;
}

/** Every file below the folder of objects, those that are not whole yet as well. */
export const filesOf = ({ objects }: TestHouse): string[] =>
  readdirSync(objects, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(objects.length + 1))
    .sort();

/** How much there is of all that an upload leaves behind. */
export async function remains(house: TestHouse) {
  const counts = await house.db.first<Record<"shares" | "uploads" | "attributes" | "multiparts" | "parts", number>>(sql`
    select (select count(*) from files) as shares, (select count(*) from uploads) as uploads,
      (select count(*) from disk_attributes) as attributes, (select count(*) from disk_multiparts) as multiparts,
      (select count(*) from disk_parts) as parts`);
  return { ...counts, files: filesOf(house) };
}

export const nothing = { shares: 0, uploads: 0, attributes: 0, multiparts: 0, parts: 0, files: [] as string[] };

/** Gives each share its slug as id, so that a table can name it. */
export const nameBySlug = (house: TestHouse) => house.db.run(sql`update files set id = slug`);
