import type { ApiKey } from "../../../src/access/keys.ts";
import { createSigner, encodeKey } from "../../../src/lib/signatures/sigv4.ts";
import { parseXml, type XmlElement } from "../../../src/lib/xml/xml.ts";
import { createS3Store } from "../../../src/stores/s3/store.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { type KeyOptions, makeKey } from "../make-key.ts";
import type { TestHouse } from "../test-house.ts";

const signer = createSigner();
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export interface S3Init {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** What is signed as the hash of the body; its own, unless said. */
  readonly hash?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** What a call was answered. */
export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** S3's code, if it is an error document. */
  readonly code: string | undefined;
}

/** S3 calls of the holder of a key, signed as clients sign. */
export function s3Calls(house: TestHouse, { s3_access_key_id: accessKey, key: secret }: ApiKey) {
  const options = () => ({ credentials: { accessKey, secret }, region: "us-east-1", now: house.clock.now() });
  const urlOf = (path: string, query: Readonly<Record<string, string>> = {}): string => {
    const words = Object.entries(query).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    );
    return `http://satchel.test${encodeKey(path)}${words.length > 0 ? `?${words.join("&")}` : ""}`;
  };
  const signed = (method: string, path: string, { headers = {}, body, hash, query }: S3Init = {}) => {
    const own = body === undefined ? EMPTY : new Bun.CryptoHasher("sha256").update(body).digest("hex");
    return signer.sign(method, urlOf(path, query), { ...options(), headers, payloadHash: hash ?? own });
  };

  /** Sends a request as it was signed, or as a test has altered it. */
  const send = async (method: string, path: string, init: S3Init = {}): Promise<S3Answer> => {
    const { url, headers } = signed(method, path, init);
    const { body } = init;
    const length: Record<string, string> =
      method === "PUT" || body !== undefined ? { "content-length": String(Buffer.byteLength(body ?? "")) } : {};
    return await answerOf(await house.request(url, { method, headers: { ...length, ...headers }, body: body ?? null }));
  };

  return {
    send,
    signed,
    accessKey,
    presign: (method: string, path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      signer.presign(method, urlOf(path), { ...options(), expires: 900, query, headers }),
    put: (path: string, body: string | Uint8Array<ArrayBuffer> = path, headers: Record<string, string> = {}) =>
      send("PUT", path, { body, headers }),
    /** The text of an object, or the code of the failure. */
    async text(path: string): Promise<string> {
      const { status, text, code } = await send("GET", path);
      return status === 200 ? text : (code ?? String(status));
    },
    /** Keys and folders of a bucket, or the code of the failure. */
    async list(bucket: string, query: Record<string, string> = {}): Promise<string[]> {
      const answer = await send("GET", `/${bucket}`, { query: { "list-type": "2", ...query } });
      return answer.code ? [answer.code] : [...textsOf(answer, "Key"), ...textsOf(answer, "Prefix").slice(1)];
    },
    /** Its status, and S3's code when it failed. */
    async outcome(method: string, path: string, init: S3Init = {}): Promise<string> {
      const { status, code } = await send(method, path, init);
      return code === undefined ? String(status) : `${status} ${code}`;
    },
  };
}

export type S3Calls = ReturnType<typeof s3Calls>;

export async function answerOf(response: Response): Promise<S3Answer> {
  const text = await response.text();
  const code = /<Error>.*?<Code>(\w+)<\/Code>/s.exec(text)?.[1];
  return { status: response.status, headers: response.headers, text, code: response.ok ? undefined : code };
}

const elementsIn = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) =>
    typeof child === "string" ? [] : child.name === name ? [child] : elementsIn(child, name),
  );

/** Texts of the elements of a name in a document, in their order. */
export const textsOf = ({ text }: Pick<S3Answer, "text">, name: string): string[] =>
  elementsIn(parseXml(Buffer.from(text)), name).map(({ children }) => children.join(""));

/** S3 calls with a key of its own, which may do everything unless said. */
export const callsOf = async (house: TestHouse, options: KeyOptions = {}): Promise<S3Calls> =>
  s3Calls(house, await makeKey(house, options));

/** Our own client of S3 on our own S3 front. */
export async function storeOnFront(house: TestHouse, address: string, bucket = "drive"): Promise<ObjectStore> {
  const { s3_access_key_id: accessKey, key: secret } = await makeKey(house);
  return createS3Store({
    endpoint: address,
    region: "",
    bucket,
    pathStyle: true,
    provider: "Other",
    accessKey,
    secret,
    clock: house.clock.now,
    fetch,
    random: () => 0,
    sleep: async () => undefined,
  });
}
