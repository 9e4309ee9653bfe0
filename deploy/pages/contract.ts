import type { Plugin } from "rolldown";
import { parseSync } from "rolldown/utils";

/** A node of a syntax tree (ESTree). */
interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

/** In the place of a part of a source. */
type Edit = readonly [start: number, end: number, text: string];

/** What pages read of an endpoint; of its response only whether there is one. */
const READ = new Set(["method", "path", "offline", "reply"]);

/**
 * Leaves out of the contract what only the server needs: the schemas, and what endpoints say to it and to its documentation. Pages have no
 * schemas (web/shims/no-schemas.ts), so what makes them has no effect, and goes where nothing takes it.
 */
export const shortContract: Plugin = {
  name: "short-contract",
  transform: {
    filter: { id: /[\\/]src[\\/]contract[\\/](?!messages[\\/])[\w\\/-]+\.ts$/ },
    // What it makes when it is loaded (sets of names, patterns) is for whoever asks.
    handler: (code) => ({ code: shortened(code), moduleSideEffects: false }),
  },
};

/** A file of the contract as pages need it. */
export function shortened(code: string): string {
  const { program, errors } = parseSync("contract.ts", code, { lang: "ts" });
  if (errors.length > 0) throw new Error(errors[0]?.message);
  // From the end on, so that what comes before keeps its place.
  return editsOf(program as unknown as Syntax)
    .toSorted(([one], [other]) => other - one)
    .reduce((short, [start, end, text]) => short.slice(0, start) + text + short.slice(end), code);
}

/** Reports whether a part of a node is a node itself. */
const isSyntax = (part: unknown): part is Syntax => typeof part === "object" && part !== null && "type" in part;

/** The nodes of which a node is made. */
const partsOf = (node: Syntax): Syntax[] => Object.values(node).flat().filter(isSyntax);

/** What to write anew in a node, from the outside to the inside. */
function editsOf(node: Syntax): Edit[] {
  if (node.type !== "CallExpression") return partsOf(node).flatMap(editsOf);
  if (isOfSchemas(node)) return [[node.start, node.end, "/* @__PURE__ */ z.object()"]];
  const { callee, arguments: given } = node as unknown as { callee: Syntax; arguments: Syntax[] };
  const inner = given.flatMap(callee.name === "endpoint" ? editsOfEndpoint : editsOf);
  // What the contract calls by its own name is pure, as all of it is.
  return callee.type === "Identifier" ? [[node.start, node.start, "/* @__PURE__ */ "], ...inner] : inner;
}

/** Whether a chain of calls begins with the module of schemas. */
function isOfSchemas(node: Syntax): boolean {
  const inner =
    node.type === "CallExpression" ? node.callee : node.type === "MemberExpression" ? node.object : undefined;
  return isSyntax(inner) && (inner.name === "z" || isOfSchemas(inner));
}

function editsOfEndpoint(declared: Syntax): Edit[] {
  if (declared.type !== "ObjectExpression") throw new Error("An endpoint is not declared by an object.");
  const properties = declared.properties as Syntax[];
  return properties.flatMap(({ key, start }, at): Edit[] => {
    const name = isSyntax(key) ? key.name : undefined;
    // What it has in common with others has no name.
    if (name === undefined || READ.has(String(name))) return [];
    const end = properties[at + 1]?.start ?? declared.end - 1;
    return [[start, end, name === "response" ? "response: true, " : ""]];
  });
}
