import type { CallInput, CallOutput, Endpoint } from "#contract/endpoint";
import type { TestServer } from "../server.ts";

type BodyOf<E extends Endpoint> = CallInput<E> extends { body: infer Body } ? Body : undefined;
type DataOf<E extends Endpoint> = CallOutput<E> extends { data: infer Data } ? Data : undefined;

/** What somebody does with a real server: calls as the administrator, and bodies for presigned addresses. */
export async function openClient({ address, adminPassword }: TestServer) {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, ...((await response.json()) as { error?: string; data: never }) };
  };
  const signedIn = await post("/admin/login", { username: "admin", password: adminPassword });
  const { token } = signedIn.data as { token: string };
  return {
    token,
    /** Answers what stands in the envelope. */
    async call<E extends Endpoint>(
      { path }: E,
      body: BodyOf<E>,
    ): Promise<{ status: number; error?: string; data: DataOf<E> }> {
      return await post(path, body, { authorization: `Bearer ${token}` });
    },
    /** PUTs to an address, which may be one that an earlier server on the same data handed out. */
    put(url: string, body: Uint8Array<ArrayBuffer>, type = "application/octet-stream") {
      const { host, pathname, search } = new URL(url);
      return fetch(`${address}${pathname}${search}`, { method: "PUT", body, headers: { host, "content-type": type } });
    },
    async download(slug: string) {
      const response = await fetch(`${address}/api/file-download/${slug}`);
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
    },
  };
}

export type Client = Awaited<ReturnType<typeof openClient>>;
