import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CallInput, CallOutput, Endpoint } from "#contract/endpoint";
import { fsBytes } from "#contract/fs/bytes";
import { fs as api } from "#contract/fs/fs";
import { mounts } from "#contract/mounts";
import type { Permission } from "#contract/permissions";
import { storage as storages } from "#contract/storage";
import { makeKey, withKey } from "../make-key.ts";
import { type MountOptions, makeMount } from "../make-mount.ts";
import { ask, type CallResult } from "../share-file.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../test-house.ts";

type DataOf<E extends Endpoint> = CallOutput<E> extends { data: infer Data } ? Data : undefined;

/** Headers that say who calls. */
export type Who = Readonly<Record<string, string>>;

/** The address of a call, with its query. */
export function urlOf({ path }: Endpoint, query: Readonly<Record<string, unknown>> = {}): string {
  const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `/api${path}${words.length > 0 ? `?${new URLSearchParams(words)}` : ""}`;
}

/** Calls of the tree over REST. Answers come in their envelopes; `data` is null when `error` says why. */
export async function treeCalls(house: TestHouse) {
  const admin: Who = { authorization: `Bearer ${await house.signIn()}` };

  const call = async <E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    who = admin,
  ): Promise<CallResult<DataOf<E>>> => {
    const { query, body } = input as { query?: Record<string, unknown>; body?: unknown };
    const init = { method: endpoint.method, headers: who, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await house.request(urlOf(endpoint, query), init);
    return { ...((await response.json()) as CallResult<DataOf<E>>), status: response.status };
  };

  const list = (path: string, who?: Who, query: Partial<CallInput<typeof api.list>["query"]> = {}) =>
    call(api.list, { query: { path, ...query } }, who);

  return {
    house,
    admin,
    call,

    /** The words that a call answers: its status and, when it failed, the code. */
    async outcome<E extends Endpoint>(endpoint: E, input: CallInput<E>, who?: Who): Promise<string> {
      const { status, error } = await call(endpoint, input, who);
      return error === undefined ? String(status) : `${status} ${error}`;
    },

    list,

    /** Names in a folder, folders with a slash, or the code of the failure. */
    async names(path: string, who?: Who, query: Partial<CallInput<typeof api.list>["query"]> = {}): Promise<string> {
      const { data, error } = await list(path, who, query);
      return error ?? namesOf(data).join(" ");
    },

    /** Writes texts, each with its path as content. */
    async put(...paths: string[]): Promise<void> {
      for (const path of paths) await this.write(path, path);
    },

    /** Answers the ETag. */
    async write(path: string, content: string): Promise<string> {
      const { data, message } = await call(api.update, { body: { path, content } });
      if (!data) throw new Error(`${path}: ${message}`);
      return data.etag;
    },

    /** What is in a file, or the code of the failure. */
    async text(path: string, who: Who = admin): Promise<string> {
      const response = await house.request(urlOf(fsBytes.download, { path }), { headers: who });
      const text = await response.text();
      return response.ok ? text : (JSON.parse(text) as { error: string }).error;
    },

    /** Somebody who holds a key with these rights, all of them unless said. */
    async holder(basePath = "/", ...rights: Permission[]): Promise<Who> {
      const permissions = rights.length > 0 ? rights : undefined;
      return withKey(await makeKey(house, { permissions, basic_path: basePath }));
    },

    /** Where a person finds the files of the built-in storage. */
    onDisk: (key: string) => join(house.objects, "drive", key),

    /** Writes a file as another process does. */
    behindOurBack(key: string, content = key, bucket = "drive"): void {
      const path = join(house.objects, bucket, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    },

    readOnDisk: (key: string): string => readFileSync(join(house.objects, "drive", key), "utf8"),

    /** Adds a second built-in storage and mounts it. */
    async second(fields: MountOptions = {}, of: Readonly<Record<string, unknown>> = {}) {
      const config = { name: "Second", provider_type: "Built-in disk", bucket_name: "second", is_public: true, ...of };
      const { data, message } = await ask(house, storages.create, { body: config as never });
      if (!data) throw new Error(message);
      const mount = await makeMount(house, { name: "N", mount_path: "/n", storage_config_id: data.id, ...fields });
      return { storage: data, mount };
    },
  };
}

export type TreeCalls = Awaited<ReturnType<typeof treeCalls>>;

/** A house whose built-in storage is mounted at /m. */
export async function openTreeHouse(
  fields: Omit<MountOptions, "storage_type"> = {},
  options: TestHouseOptions = {},
): Promise<TreeCalls & AsyncDisposable> {
  const house = await openTestHouse(options);
  const { data: [drive] = [] } = await ask(house, mounts.list, {});
  await ask(house, mounts.update, { params: { id: drive?.id ?? "" }, body: { mount_path: "/m", ...fields } });
  const calls = await treeCalls(house);
  return { ...calls, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

/** Names in the order of a list, folders with a slash. */
export const namesOf = ({ items }: { readonly items: readonly { name: string; isDirectory: boolean }[] }): string[] =>
  items.map(({ name, isDirectory }) => (isDirectory ? `${name}/` : name));
