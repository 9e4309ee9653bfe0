import { storage as api, type StorageConfig } from "#contract/storage";
import { ask, commit, type FileOptions, presign } from "../share-file.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../test-house.ts";
import { type OpenedS3Store, openS3Store } from "./s3-store.ts";

type Fields = Partial<Record<string, unknown>>;

/** A house whose default storage is a bucket of its own on a real S3 server. */
export interface S3House extends AsyncDisposable {
  readonly house: TestHouse;
  readonly s3: OpenedS3Store;
  readonly storage: StorageConfig;
}

/** Opens such a house; `fields` changes its storage's configuration. */
export async function openS3House(fields: Fields = {}, options: TestHouseOptions = {}): Promise<S3House> {
  const s3 = await openS3Store();
  const house = await openTestHouse({ now: Date.now(), ...options });
  const storage = await addStorage(house, s3, fields);
  await ask(house, api.setDefault, { params: { id: storage.id } });
  return {
    house,
    s3,
    storage,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await s3[Symbol.asyncDispose]();
    },
  };
}

/** Adds the bucket as a storage of the house. */
export async function addStorage(house: TestHouse, s3: OpenedS3Store, fields: Fields = {}): Promise<StorageConfig> {
  const body = {
    name: "Cloud",
    provider_type: "Other",
    endpoint_url: s3.server.endpoint,
    bucket_name: s3.bucket,
    access_key_id: s3.server.accessKey,
    secret_access_key: s3.server.secret,
    path_style: true,
    is_public: true,
    default_folder: "shares",
    ...fields,
  };
  const { data, message } = await ask(house, api.create, { body: body as never });
  if (!data) throw new Error(message);
  return data;
}

/** Sends a body to an address of the storage, as a browser does. */
export const putAt = (url: string, body: string | Uint8Array<ArrayBuffer>, type = "text/plain") =>
  fetch(url, { method: "PUT", body, headers: { "content-type": type } });

/** Shares a file by the storage's own address. */
export async function share(
  { house }: Pick<S3House, "house">,
  { content = "hello", ...fields }: FileOptions & { content?: string } = {},
) {
  const begun = await presign(house, { size: Buffer.byteLength(content), ...fields });
  const sent = await putAt(begun.data.upload_url, content, begun.data.contentType);
  if (sent.status !== 200) throw new Error(`PUT: ${await sent.text()}`);
  const { data, message } = await commit(house, begun.data.file_id);
  if (!data) throw new Error(message);
  return data;
}

/** What a visitor is told who opens a share. */
export const opened = async ({ house }: Pick<S3House, "house">, slug: string) => {
  const response = await house.request(`/api/public/files/${slug}`);
  return ((await response.json()) as { data: Record<string, string> }).data;
};
