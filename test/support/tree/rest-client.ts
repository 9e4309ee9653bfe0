import { inLine, inLines, type TreeClient } from "../../suites/tree.ts";
import type { TestHouse } from "../test-house.ts";

interface Answer {
  readonly error?: string;
  readonly data?: {
    readonly items?: readonly Item[];
    readonly results?: readonly Item[];
    readonly failed?: readonly { readonly error: string }[] | number;
    readonly details?: readonly { readonly error: string }[];
    readonly skipped?: number;
    readonly isDirectory?: boolean;
    readonly size?: number;
  };
}

interface Item {
  readonly name: string;
  readonly path: string;
  readonly isDirectory: boolean;
}

/** The tree through the REST calls, as the administrator; it goes with `release`. */
export async function restClient(house: TestHouse, release: () => Promise<void>): Promise<TreeClient> {
  const authorization = `Bearer ${await house.signIn()}`;
  const query = (words: Record<string, string>) => new URLSearchParams(words).toString();

  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const init = { method, headers: { authorization }, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await (await house.request(`/api/fs/${path}`, init)).json()) as Answer;
  };
  const okOr = ({ error }: Answer): string => error ?? "ok";

  const copy = async (sourcePath: string, targetPath: string, skipExisting: boolean): Promise<string> => {
    const { error, data } = await call("POST", "batch-copy", { items: [{ sourcePath, targetPath }], skipExisting });
    return error ?? data?.details?.[0]?.error ?? (data?.skipped ? "skipped" : "ok");
  };

  return {
    verbs: {
      put: async (path = "", content = "") => okOr(await call("POST", "update", { path, content })),
      get: async (path = "") => {
        const response = await house.request(`/api/fs/download?${query({ path })}`, { headers: { authorization } });
        const text = await response.text();
        return response.ok ? inLine(text) : okOr(JSON.parse(text) as Answer);
      },
      list: async (path = "") => {
        const { error, data } = await call("GET", `list?${query({ path })}`);
        const names = data?.items?.map(({ name, isDirectory }) => (isDirectory ? `${name}/` : name)) ?? [];
        return error ?? inLines(names);
      },
      stat: async (path = "") => {
        const { error, data } = await call("GET", `get?${query({ path })}`);
        return error ?? (data?.isDirectory ? "folder" : `file ${data?.size}`);
      },
      mkdir: async (path = "") => okOr(await call("POST", "mkdir", { path })),
      move: async (oldPath = "", newPath = "") => okOr(await call("POST", "rename", { oldPath, newPath })),
      copy: (from = "", to = "") => copy(from, to, false),
      keep: (from = "", to = "") => copy(from, to, true),
      remove: async (path = "") => {
        const { error, data } = await call("DELETE", "batch-remove", { paths: [path] });
        const [failed] = Array.isArray(data?.failed) ? data.failed : [];
        return error ?? failed?.error ?? "ok";
      },
      search: async (q = "") => {
        const { error, data } = await call("GET", `search?${query({ q })}`);
        return error ?? inLines((data?.results ?? []).map(({ path }) => path).sort());
      },
    },
    [Symbol.asyncDispose]: release,
  };
}
