import type { TestHouse } from "../test-house.ts";

type Headers = Readonly<Record<string, string>>;

const TUS = { "tus-resumable": "1.0.0" };
const BODY = { "content-type": "application/offset+octet-stream" };

/** Upload-Metadata of these texts. */
export const metadataOf = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([key, text]) => `${key} ${Buffer.from(text).toString("base64")}`)
    .join(",");

/** The offset that an answer tells. */
export const offsetIn = (response: Response): number => Number(response.headers.get("upload-offset") ?? Number.NaN);

/** The requests of tus, sent with this credential. */
export function tusClient(house: Pick<TestHouse, "request">, credential: Headers) {
  const send = (method: string, path: string, headers: Headers, body?: BodyInit) =>
    house.request(path, {
      method,
      headers: { ...TUS, ...credential, ...headers },
      ...(body !== undefined && { body }),
    });
  const framed = (body: string | Uint8Array<ArrayBuffer>) => ({
    ...BODY,
    "content-length": String(Buffer.byteLength(body)),
  });

  return {
    send,

    create: (headers: Headers, body?: string | Uint8Array<ArrayBuffer>) =>
      send("POST", "/api/tus", { ...(body !== undefined && framed(body)), ...headers }, body),

    /** The path of an upload of so many bytes. */
    async begin(size: number, texts: Readonly<Record<string, string>> = { filename: "a.bin" }): Promise<string> {
      const headers = { "upload-length": String(size), "upload-metadata": metadataOf(texts) };
      const response = await send("POST", "/api/tus", headers);
      if (response.status !== 201) throw new Error(`POST: ${response.status} ${await response.text()}`);
      return new URL(response.headers.get("location") ?? "").pathname;
    },

    patch: (path: string, offset: number | string, body: string | Uint8Array<ArrayBuffer>, headers: Headers = {}) =>
      send("PATCH", path, { ...framed(body), "upload-offset": String(offset), ...headers }, body),

    head: (path: string) => send("HEAD", path, {}),

    remove: (path: string) => send("DELETE", path, {}),
  };
}
