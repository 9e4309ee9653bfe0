import { inLine, inLines, type TreeClient } from "../../suites/tree.ts";
import { type DavAnswer, davCalls, davUrl, resources } from "../clients/dav.ts";
import type { TestHouse } from "../test-house.ts";
import { restClient } from "./rest-client.ts";

/** What the tree says itself, and a WebDAV front must say before it gets there. */
const sameAs: Readonly<Record<string, string>> = {
  "path.noParent": "path.conflict",
  "precondition.failed": "path.taken",
};

/** The tree through WebDAV, as the administrator; it makes folders above first, as clients do. Only REST searches. */
export async function davClient(house: TestHouse, release: () => Promise<void>): Promise<TreeClient> {
  const dav = davCalls(house);
  const rest = await restClient(house, release);
  const said = ({ status, code = String(status) }: DavAnswer): string => (status < 300 ? "ok" : (sameAs[code] ?? code));

  const makeParents = async (path: string): Promise<void> => {
    const names = path.split("/").slice(1, -1).filter(Boolean);
    for (const index of names.keys()) await dav.send("MKCOL", `/${names.slice(0, index + 1).join("/")}`);
  };
  const copyOrMove = async (method: string, from: string, to: string, overwrite: "T" | "F"): Promise<string> => {
    await makeParents(to.replace(/\/$/, ""));
    return said(await dav.send(method, from, { headers: { destination: davUrl(to), overwrite } }));
  };

  return {
    // The client itself resolves these before they are sent.
    canSay: (path) => path.startsWith("/") && !path.split("/").some((name) => name === "." || name === ".."),
    verbs: {
      put: async (path = "", content = "") => {
        await makeParents(path);
        return said(await dav.send("PUT", path, { body: content }));
      },
      get: async (path = "") => {
        const answer = await dav.send("GET", path);
        if (answer.status !== 200) return said(answer);
        return answer.headers.has("content-disposition") ? inLine(answer.text) : "path.isFolder";
      },
      list: async (path = "") => {
        const answer = await dav.send("PROPFIND", path, { headers: { depth: "1" } });
        if (answer.status !== 207) return said(answer);
        const [self, ...inside] = resources(answer);
        if (self?.properties.resourcetype === "") return "path.isFile";
        return inLines(inside.map(({ href }) => decodeURIComponent(href).replace(/^.*\/(?=[^/]+\/?$)/, "")));
      },
      stat: async (path = "") => {
        const answer = await dav.send("PROPFIND", path, { headers: { depth: "0" } });
        if (answer.status !== 207) return said(answer);
        const [{ properties } = { properties: {} as Record<string, string> }] = resources(answer);
        return properties.resourcetype === "" ? `file ${properties.getcontentlength}` : "folder";
      },
      mkdir: async (path = "") => {
        await makeParents(path);
        const answer = await dav.send("MKCOL", path);
        return answer.code === "method.notAllowed" ? "ok" : said(answer);
      },
      move: (from = "", to = "") => copyOrMove("MOVE", from, to, "F"),
      copy: (from = "", to = "") => copyOrMove("COPY", from, to, "T"),
      keep: (from = "", to = "") => copyOrMove("COPY", from, to, "F"),
      remove: async (path = "") => {
        const answer = await dav.send("DELETE", path);
        return answer.code === "path.missing" ? "ok" : said(answer);
      },
      search: rest.verbs.search,
    },
    [Symbol.asyncDispose]: release,
  };
}
