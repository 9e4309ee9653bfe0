import { en } from "#contract/messages/en";
import { inLine, inLines, type TreeClient } from "../../suites/tree.ts";
import { callsOf, type S3Answer, textsOf } from "../clients/s3.ts";
import type { TestHouse } from "../test-house.ts";
import { restClient } from "./rest-client.ts";

/** Sentences are one for each failure, where S3 has one code for several. */
const codeOf = new Map(Object.entries(en).map(([code, sentence]) => [sentence, code]));

/** The tree through S3, as the tools of S3 move and remove folders: key by key. Only REST searches. */
export async function s3Client(house: TestHouse, release: () => Promise<void>): Promise<TreeClient> {
  const s3 = await callsOf(house);
  const rest = await restClient(house, release);
  const [mount] = await house.house.vfs.mounts.list();
  const at = (path: string) => `/${mount?.id}${path.slice("/m".length)}`;
  const keyOf = (path: string) => path.slice("/m/".length);

  const said = (answer: S3Answer): string => {
    if (answer.status < 300) return "ok";
    const [message = ""] = answer.text === "" ? [] : textsOf(answer, "Message");
    if (answer.code === "NoSuchKey") return "path.missing";
    if (answer.code === "KeyTooLongError") return "path.invalid";
    return codeOf.get(message) ?? answer.code ?? String(answer.status);
  };
  const isThere = async (path: string) => (await s3.send("HEAD", at(path))).status === 200;
  const list = (query: Record<string, string>) =>
    s3.send("GET", `/${mount?.id}`, { query: { "list-type": "2", ...query } });
  const keysBelow = async (path: string) => textsOf(await list({ prefix: keyOf(path) }), "Key");
  const copy = (from: string, to: string) =>
    s3.send("PUT", to, { headers: { "x-amz-copy-source": from.split("/").map(encodeURIComponent).join("/") } });
  const folder = (path: string) => (path.endsWith("/") ? path : `${path}/`);

  return {
    // The client itself resolves dots; S3 has no keys with empty names, and nothing is at a bucket itself but its list.
    canSay: (path) => /^\/m(\/|$)/.test(path) && !/\/\.{1,2}(\/|$)|\/\/|\/double\//.test(path),
    verbs: {
      put: async (path = "", content = "") => said(await s3.put(at(path), content)),
      get: async (path = "") => {
        const answer = await s3.send("GET", at(path));
        if (answer.status === 200) return inLine(answer.text);
        return answer.code === "NoSuchKey" && (await isThere(folder(path))) ? "path.isFolder" : said(answer);
      },
      list: async (path = "") => {
        const prefix = folder(path).slice("/m/".length);
        const answer = await list({ prefix, delimiter: "/" });
        const folders = textsOf(answer, "Prefix").slice(1);
        const keys = textsOf(answer, "Key").filter((key) => key !== prefix);
        return inLines([...folders, ...keys].map((key) => key.slice(prefix.length)));
      },
      stat: async (path = "") => {
        const answer = await s3.send("HEAD", at(path));
        if (answer.status === 200 && !path.endsWith("/")) return `file ${answer.headers.get("content-length")}`;
        return (await isThere(folder(path))) ? "folder" : "path.missing";
      },
      mkdir: async (path = "") => said(await s3.put(at(folder(path)), "")),
      move: async (from = "", to = "") => {
        const keys = from.endsWith("/") ? await keysBelow(from) : [keyOf(from)];
        for (const key of keys) {
          const source = at(`/m/${key}`);
          const answer = await copy(source, at(to + key.slice(keyOf(from).length)));
          if (answer.status !== 200) return said(answer);
          await s3.send("DELETE", source);
        }
        return "ok";
      },
      copy: async (from = "", to = "") => said(await copy(at(from), at(to))),
      keep: async (from = "", to = "") => said(await copy(at(from), at(to))),
      remove: async (path = "") => {
        for (const key of [keyOf(path), ...(await keysBelow(folder(path)))]) {
          const answer = await s3.send("DELETE", at(`/m/${key}`));
          if (answer.status !== 204) return said(answer);
        }
        return "ok";
      },
      search: rest.verbs.search,
    },
    [Symbol.asyncDispose]: release,
  };
}
