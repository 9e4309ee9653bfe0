import type { Plugin } from "rolldown";
import { type Edit, isSyntax, parsed, partsOf, type Syntax, withEdits } from "./syntax.ts";

/**
 * Leaves out of react-dom what no page of ours can reach: pages are not made by React on a server, which it would go on from (`hydrateRoot`), and
 * none asks for view transitions or for handles of fragments. What is cut follows from these three, as said at each; a react-dom in which
 * something of it is not found as it was does not build, and whoever asks for one of the three meets an error.
 */
export const clientReact: Plugin = {
  name: "client-react",
  transform: {
    filter: { id: /[\\/]react-dom[\\/]cjs[\\/]react-dom-client\.production\.js$/ },
    handler: (code) => withoutServer(code),
  },
};

/** react-dom/client without those parts. */
export function withoutServer(code: string): string {
  const wanted = new Set([
    ...stubs.keys(),
    "hydrateRoot",
    "isHydrating",
    "FragmentInstance.prototype",
    "view transitions",
  ]);
  const edits = editsOf(parsed(code, "js"), (name) => void wanted.delete(name));
  if (wanted.size > 0) throw new Error(`react-dom has changed: ${[...wanted].join(", ")}.`);
  return withEdits(code, edits);
}

const NOTHING = "{}";
const NEVER = '{ throw Error("Left out.") }';

/** What takes the place of the body of a function. */
const stubs: ReadonlyMap<string, string> = new Map([
  // Without an element of view transitions these find none.
  ...[
    "trackEnterViewTransitions",
    "commitAppearingPairViewTransitions",
    "commitEnterViewTransitions",
    "commitDeletedPairViewTransitions",
    "commitExitViewTransitions",
    "commitNestedViewTransitions",
    "restorePairedViewTransitions",
    "restoreEnterOrExitViewTransitions",
    "restoreNestedViewTransitions",
    "measureNestedViewTransitions",
  ].map((name) => [name, NOTHING] as const),
  // And nothing calls these.
  ...[
    "applyViewTransitionToHostInstances",
    "restoreViewTransitionOnHostInstances",
    "measureViewTransitionHostInstancesRecursive",
    "scheduleViewTransitionEvent",
    "startViewTransition",
    "createViewTransitionInstance",
  ].map((name) => [name, NEVER] as const),
  // A tree that is not hydrated has no parent of which it is.
  ["popHydrationState", "{ return !1 }"],
  // What is dehydrated comes from a server.
  ...[
    "updateDehydratedSuspenseComponent",
    "mountHostRootWithoutHydrating",
    "retrySuspenseComponentWithoutHydrating",
    "retryActivityComponentWithoutHydrating",
    "attemptExplicitHydrationTarget",
    "attemptContinuousHydration",
    "attemptHydrationAtCurrentPriority",
    "retryDehydratedSuspenseBoundary",
    "prepareToHydrateHostInstance",
    "clearHydrationBoundary",
    "hideOrUnhideDehydratedBoundary",
    "createFiberFromDehydratedFragment",
  ].map((name) => [name, NEVER] as const),
  ["FragmentInstance", NEVER],
]);

/** What to write anew in a part of the source; `found` is told what was there. */
function editsOf(node: Syntax, found: (name: string) => void): Edit[] {
  const within = (parts: readonly Syntax[]) => parts.flatMap((part) => editsOf(part, found));
  if (node.type === "FunctionDeclaration" && isSyntax(node.id)) {
    const name = String(node.id.name);
    const stub = stubs.get(name);
    if (stub !== undefined && isSyntax(node.body)) {
      found(name);
      return [[node.body.start, node.body.end, stub]];
    }
    // A parameter of one function has that name as well.
    if ((node.params as Syntax[]).some((parameter) => parameter.name === "isHydrating")) return [];
  }
  if (node.type === "ExpressionStatement") {
    const assigned = assignedBy(node);
    const name = ["hydrateRoot", "FragmentInstance.prototype"].find((one) => assigned.includes(one));
    if (name !== undefined) {
      found(name);
      return [[node.start, node.end, ""]];
    }
  }
  if (node.type === "Identifier" && node.name === "isHydrating") {
    found("isHydrating");
    return [[node.start, node.end, "!1"]];
  }
  if (node.type === "AssignmentExpression" && isSyntax(node.left) && node.left.name === "isHydrating")
    return within([node.right as Syntax]);
  if (node.type === "VariableDeclarator") return isSyntax(node.init) ? within([node.init]) : [];
  if (node.type === "SwitchStatement") return [...editsOfCases(node.cases as Syntax[], found), ...within(kept(node))];
  return within(partsOf(node));
}

/** The name that a statement assigns to, as far as it is known by name: `exports.hydrateRoot`. */
function assignedBy({ expression }: Syntax): string {
  const named = (node: unknown): string => {
    if (!isSyntax(node)) return "";
    return node.type === "MemberExpression" ? `${named(node.object)}.${named(node.property)}` : String(node.name ?? "");
  };
  return isSyntax(expression) && expression.type === "AssignmentExpression" ? named(expression.left) : "";
}

/** Whether a case is for an element of view transitions alone: as something to make, by its name, or that was made, by its number. */
function isOfTransitions(one: Syntax | undefined, before: Syntax | undefined): boolean {
  const test = one?.test;
  if (!one || !isSyntax(test) || !ends(one)) return false;
  if (test.name === "REACT_VIEW_TRANSITION_TYPE") return true;
  // One before it must not go on in it.
  return test.value === 30 && (before === undefined || ends(before));
}

/** Whether what is done for a case does not go on in the next one. */
function ends(one: Syntax): boolean {
  const last = (one.consequent as Syntax[]).at(-1);
  return last !== undefined && /^(?:Break|Return|Throw|Continue)Statement$/.test(last.type);
}

const transitionsIn = (cases: readonly Syntax[]) => cases.filter((one, at) => isOfTransitions(one, cases[at - 1]));

function editsOfCases(cases: readonly Syntax[], found: (name: string) => void): Edit[] {
  const left = transitionsIn(cases);
  if (left.length > 0) found("view transitions");
  return left.map(({ start, end }) => [start, end, ""]);
}

const kept = (node: Syntax): Syntax[] => {
  const left = new Set(transitionsIn(node.cases as Syntax[]));
  return partsOf(node).filter((part) => !left.has(part));
};
