import { parseXml, type XmlElement } from "../../../src/lib/xml/xml.ts";
import { ADMIN, type TestHouse } from "../test-house.ts";
import { basic } from "./basic.ts";

/** What a WebDAV call answered. */
export interface DavAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The code of the failure, if it is one. */
  readonly code: string | undefined;
}

export interface DavInit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal | undefined;
}

export const asAdmin = basic(ADMIN.username, ADMIN.password);

/** The address of a path of the tree. */
export const davUrl = (path: string): string => `/dav${path.split("/").map(encodeURIComponent).join("/")}`;

/** WebDAV calls of one caller, the administrator unless said. */
export function davCalls(house: TestHouse, who: Readonly<Record<string, string>> = asAdmin) {
  const at = async (method: string, url: string, { headers = {}, body, signal }: DavInit = {}): Promise<DavAnswer> => {
    const response = await house.request(url, {
      method,
      headers: { ...who, ...headers },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    const code = /<S:failure [^>]*code="([\w.]+)"/.exec(text)?.[1];
    return { status: response.status, headers: response.headers, text, code };
  };
  const send = (method: string, path: string, init?: DavInit) => at(method, davUrl(path), init);
  const propfind = async (path: string, depth: "0" | "1", body?: string) =>
    resources(await send("PROPFIND", path, { headers: { depth }, ...(body !== undefined && { body }) }));

  return {
    /** By the address itself. */
    at,
    send,
    propfind,
    copyOrMove: async (method: "COPY" | "MOVE", from: string, to: string, headers: Record<string, string> = {}) =>
      await send(method, from, { headers: { destination: davUrl(to), ...headers } }),
    /** The status alone. */
    status: async (method: string, path: string, init?: DavInit): Promise<number> =>
      (await send(method, path, init)).status,
    text: async (path: string): Promise<string> => (await send("GET", path)).text,
    /** Names in a folder, folders with a slash. */
    names: async (path: string): Promise<string[]> =>
      (await propfind(path, "1"))
        .slice(1)
        .map(({ href }) => decodeURIComponent(href).replace(/^.*\/(?=[^/]+\/?$)/, "")),
    /** Locks a path and returns the token. */
    async lock(path: string, more: { readonly scope?: string; readonly headers?: Record<string, string> } = {}) {
      const body = lockInfo(more.scope);
      const answer = await send("LOCK", path, { body, headers: more.headers ?? {} });
      return { ...answer, token: answer.headers.get("lock-token")?.slice(1, -1) ?? "" };
    },
  };
}

export type DavCalls = ReturnType<typeof davCalls>;

export const lockInfo = (scope = "exclusive", owner = "<D:owner>me</D:owner>"): string =>
  `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype>${owner}</D:lockinfo>`;

/** A PROPPATCH body of instructions. */
export const update = (instructions: string): string =>
  `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x" xmlns:Z="urn:schemas-microsoft-com:">${instructions}</D:propertyupdate>`;
export const setting = (properties: string): string => update(`<D:set><D:prop>${properties}</D:prop></D:set>`);
/** A PROPFIND body that asks for these properties. */
export const asking = (properties: string): string =>
  `<D:propfind xmlns:D="DAV:" xmlns:x="urn:x" xmlns:Z="urn:schemas-microsoft-com:"><D:prop>${properties}</D:prop></D:propfind>`;

/** One resource of a 207. */
export interface DavResource {
  readonly href: string;
  /** Its own status, if it has one. */
  readonly status: number | undefined;
  /** Texts of its properties by name, of other namespaces than DAV: as {namespace}name; `<child>` for an element. */
  readonly properties: Readonly<Record<string, string>>;
  /** Names of properties by their status. */
  readonly names: Readonly<Record<number, readonly string[]>>;
}

const children = ({ children: all }: XmlElement): XmlElement[] => all.filter((child) => typeof child !== "string");
const childrenOf = (element: XmlElement, name: string) => children(element).filter((child) => child.name === name);
const textOf = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === "string" ? child : `<${child.name}>${textOf(child)}`)).join("");
const statusIn = (element: XmlElement): number | undefined => {
  const [line] = childrenOf(element, "status");
  return line && Number(textOf(line).split(" ")[1]);
};
const nameOf = ({ namespace, name }: XmlElement): string => (namespace === "DAV:" ? name : `{${namespace}}${name}`);

/** The resources of a 207, as a client reads it. */
export function resources({ status, text }: Pick<DavAnswer, "status" | "text">): DavResource[] {
  if (status !== 207) throw new Error(`${status}: ${text}`);
  return childrenOf(parseXml(Buffer.from(text)), "response").map((response) => {
    const properties: Record<string, string> = {};
    const names: Record<number, string[]> = {};
    for (const propstat of childrenOf(response, "propstat")) {
      const status = statusIn(propstat) ?? 0;
      const found = childrenOf(propstat, "prop").flatMap(children);
      names[status] = found.map(nameOf);
      if (status === 200) for (const property of found) properties[nameOf(property)] = textOf(property);
    }
    const [href] = childrenOf(response, "href");
    return { href: href ? textOf(href) : "", status: statusIn(response), properties, names };
  });
}
