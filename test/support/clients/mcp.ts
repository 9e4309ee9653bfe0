import type { TestHouse } from "../test-house.ts";

/** Messages of MCP as a client writes them. */

const NEWEST = "2026-07-28";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly message: RpcMessage;
}

export interface RpcMessage {
  readonly jsonrpc?: string;
  readonly id?: string | number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Posts a body to a house; what is no JSON is an answer without a message. */
export async function post(
  house: TestHouse,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const response = await house.request("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, message: text === "" ? {} : JSON.parse(text) };
}

/** A request of the revisions that begin with a handshake. */
export const rpc = (method: string, params: object = {}, id: string | number = 1) => ({
  ...{ jsonrpc: "2.0", id, method, params },
});

/** A request of the newest revision, and its headers. */
export function modern(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": NEWEST,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { name } = params;
  const headers: Record<string, string> = {
    "mcp-protocol-version": NEWEST,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": name }),
  };
  return { body: rpc(method, { ...params, _meta }), headers };
}

/** What a tool answered. */
interface ToolResult<Content> {
  readonly isError: boolean;
  readonly text: string;
  readonly content: Content;
}

/** Calls a tool. */
export async function callTool<Content = Readonly<Record<string, unknown>>>(
  house: TestHouse,
  headers: Readonly<Record<string, string>>,
  name: string,
  input: object = {},
): Promise<ToolResult<Content>> {
  const { message } = await post(house, rpc("tools/call", { name, arguments: input }), headers);
  const { content, structuredContent, isError } = message.result ?? {};
  const [first] = (content ?? []) as readonly { readonly text: string }[];
  return { isError: isError === true, text: first?.text ?? "", content: structuredContent as Content };
}
