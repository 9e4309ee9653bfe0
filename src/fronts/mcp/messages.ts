/** The messages of MCP (JSON-RPC 2.0) in the four revisions of its specification that know Streamable HTTP. */

import * as z from "#contract/schemas";

/** The revision in which every request says what it needs; the ones before it begin with a handshake, of which nothing is kept here. */
const MODERN = "2026-07-28";
/** Newest first. Whoever sends no header speaks the last of them. */
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
const BATCHING = "2025-03-26";

export const revisions: readonly string[] = [MODERN, ...LEGACY];

export const codes = {
  malformed: -32700,
  invalidRequest: -32600,
  methodMissing: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedRevision: -32022,
} as const;

/** What is refused before a tool is called, as the specification has it: for programs, so its words are English. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";

  constructor(
    readonly code: number,
    message: string,
    /** Of the answer over HTTP. */
    readonly status = 400,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

const anyObject = z.record(z.string(), z.unknown());
const idField = z.union([z.string().check(z.maxLength(200)), z.int()]);
const named = { jsonrpc: z.literal("2.0"), method: z.string().check(z.maxLength(200)), params: z.optional(anyObject) };
const requestShape = z.object({ ...named, id: idField });
/** An id that is none makes no notification of a request. */
const notificationShape = z.object({ ...named, id: z.optional(z.undefined()) });
const response = { jsonrpc: z.literal("2.0"), id: idField, method: z.optional(z.undefined()) };
const responseShape = z.union([
  z.object({ ...response, result: anyObject }),
  z.object({ ...response, error: anyObject }),
]);

type Params = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: Params;
  /** Whether it comes with all that is needed to answer it. */
  readonly isModern: boolean;
}

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** The revision that the headers name; undefined where they name none. 400 unsupported. */
export function revisionOf(headers: Headers): string | undefined {
  const said = headers.get("mcp-protocol-version");
  if (said === null) return undefined;
  if (revisions.includes(said)) return said;
  const data = { supported: revisions, requested: said.slice(0, 40) };
  throw new ProtocolError(codes.unsupportedRevision, "Unsupported protocol version", 400, data);
}

/** The messages of a body: one, and several only where the revision has batches. */
export function messagesIn(sent: unknown, revision: string | undefined, most: number): readonly unknown[] {
  if (!Array.isArray(sent)) return [sent];
  if ((revision ?? BATCHING) !== BATCHING || sent.length === 0 || sent.length > most)
    throw new ProtocolError(codes.invalidRequest, "Send one message in a request");
  return sent;
}

/** A request, or undefined for what is not answered: notifications, and responses of clients to what is never asked. */
export function readMessage(sent: unknown, headers: Headers, revision: string | undefined): RpcRequest | undefined {
  const read = z.safeParse(requestShape, sent);
  if (read.success) {
    const { id, method, params = {} } = read.data;
    return { id, method, params, isModern: isModern({ method, params }, headers, revision) };
  }
  const isUnanswered = [notificationShape, ...(revision === MODERN ? [] : [responseShape])].some(
    (shape) => z.safeParse(shape, sent).success,
  );
  if (!isUnanswered) throw new ProtocolError(codes.invalidRequest, "Not a message of JSON-RPC 2.0");
  return undefined;
}

type Named = Pick<RpcRequest, "method" | "params">;

const metaOf = ({ _meta: meta }: Params): Params => (typeof meta === "object" && meta !== null ? { ...meta } : {});

/** Whether a request is one of the newest revision. What headers and body both say has to be the same, since others decide by the headers. */
function isModern({ method, params }: Named, headers: Headers, revision: string | undefined): boolean {
  const meta = metaOf(params);
  const version = meta[VERSION];
  if (revision !== MODERN && version === undefined) return false;
  if (version === undefined) throw new ProtocolError(codes.invalidParams, `_meta has no ${VERSION}`);
  requireSame("MCP-Protocol-Version", revision ?? null, version);
  if (revision !== MODERN) return false;
  requireSame("Mcp-Method", headers.get("mcp-method"), method);
  if (method === "tools/call") requireSame("Mcp-Name", decoded(headers.get("mcp-name")), params.name);
  if (typeof meta[CAPABILITIES] !== "object" || meta[CAPABILITIES] === null)
    throw new ProtocolError(codes.invalidParams, `_meta has no ${CAPABILITIES}`);
  return true;
}

function requireSame(header: string, said: string | null, wanted: unknown): void {
  if (said === wanted) return;
  throw new ProtocolError(codes.headerMismatch, `The header ${header} is missing or differs from the body`);
}

/** A header whose value is Base64 where it is no plain ASCII. */
function decoded(said: string | null): string | null {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(said ?? "") ?? [];
  return base64 === undefined ? said : Buffer.from(base64, "base64").toString("utf8");
}

/** The revision that a handshake ends with: the one that is asked for, or the newest that begins with one. */
export function agreedRevision({ protocolVersion }: Params): string {
  if (typeof protocolVersion !== "string") throw new ProtocolError(codes.invalidParams, "No protocolVersion", 200);
  return LEGACY.find((one) => one === protocolVersion) ?? LEGACY[0];
}
