import * as z from "zod/mini";
import { bodyBreaches, brokenFields, brokenForm, brokenJson, fieldsForm, form } from "./bodies.ts";
import { createDice, type Dice, weighted } from "./dice.ts";
import { type Breach, bytesOf, type Draft, encoded, type Making, type TestRoute } from "./draft.ts";
import { type After, chunked, type Framed, framings, sound } from "./framing.ts";
import { headerBreaches, isMethod, otherMethod } from "./headers.ts";
import type { Known, Role } from "./known.ts";
import { testRoutes } from "./routes.ts";
import { tame } from "./tame.ts";
import { hostileParameter, queryBreaches, targetBreaches } from "./targets.ts";
import { fitting, type Shape, type Words, write } from "./trees.ts";

/** A request that is nearly right, as it goes out. */
export interface HostileRequest {
  readonly number: number;
  /** The endpoint that it was made from. */
  readonly route: string;
  readonly method: string;
  readonly as: Role;
  /** What is wrong with it; empty for the few that are right. */
  readonly breaches: readonly string[];
  readonly bytes: Buffer;
  readonly after: After;
}

/** A breach that the dice may choose, and what it is called in a report. */
type Named = readonly [name: string, breach: Breach];

const shapeOf = (schema: z.ZodMiniType): Shape => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

const wordsFor =
  ({ method, path }: TestRoute, { words }: Known): Words =>
  (name) =>
    words[`${method} ${path} ${name}`] ?? words[`${path} ${name}`] ?? words[name];

const fieldsOf = (schema: z.ZodMiniType | undefined, words: Words, dice: Dice): (readonly [string, string])[] => {
  const tree = schema ? fitting(shapeOf(schema), "", words, dice) : { fields: [] };
  if (!("fields" in tree)) return [];
  return tree.fields.flatMap(([name, value]) => {
    const values = "items" in value ? value.items : [value];
    return values.map((one) => [name, write(one).replace(/^"(.*)"$/s, (text) => String(JSON.parse(text)))] as const);
  });
};

/** A right request to an endpoint. */
function right({ route, dice, known }: Making): Draft {
  const words = wordsFor(route, known);
  const { endpoint, method } = route;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encoded(dice.pick(words(name) ?? ["nothing"])));
  const pairs = fieldsOf(endpoint?.query, words, dice).map(([name, value]) => `${name}=${encoded(value)}`);
  const draft: Draft = {
    method,
    path,
    query: pairs.length > 0 ? pairs.join("&") : undefined,
    version: "HTTP/1.1",
    headers: [["host", known.host]],
    body: undefined,
  };
  if (endpoint?.body && endpoint.encoding) {
    fieldsForm(draft, fieldsOf(endpoint.body, words, dice));
  } else if (endpoint?.body) {
    draft.body = bytesOf(write(fitting(shapeOf(endpoint.body), "", words, dice)));
    draft.headers.push(["content-type", "application/json"]);
  }
  if (endpoint?.form) form(draft, fitting(shapeOf(endpoint.form), "", words, dice), `f${dice.below(1000)}.txt`);
  return path === "(signed)" ? signed(draft, dice, known) : draft;
}

function signed(draft: Draft, dice: Dice, { signed: addresses }: Known): Draft {
  const [path = "", query] = dice.pick(addresses).split("?");
  const body = draft.method === "PUT" ? "hello" : undefined;
  return { ...draft, path, query, body, headers: [...draft.headers, ["content-type", "text/plain"]] };
}

const fieldsBreach: Breach = (draft, { dice }) => brokenFields(draft, dice);
const formBreach: Breach = (draft, { dice }) => brokenForm(draft, dice);

/** The breaches that mean something to this route. */
function breachesFor({ route, known }: Making): readonly (readonly [weight: number, named: Named])[] {
  const { endpoint } = route;
  const words = wordsFor(route, known);
  const all = (breaches: Readonly<Record<string, Breach>>, sum: number) =>
    Object.entries(breaches).map((named) => [sum / Object.keys(breaches).length, named] as const);
  const parameter: Breach = (draft, { dice }) => {
    const hostile = hostileParameter(dice);
    draft.path = route.path.replace(/:(\w+)/, () => hostile);
  };
  return [
    ...(endpoint?.encoding ? [[8, ["fields of a form are wrong", fieldsBreach]] as const] : []),
    ...(endpoint?.body && !endpoint.encoding
      ? [[8, ["a field is wrong", brokenJson(shapeOf(endpoint.body), words)]] as const]
      : []),
    ...(endpoint?.form ? [[8, ["a form is wrong", formBreach]] as const] : []),
    ...(route.path.includes(":") ? [[4, ["a part of the path is wrong", parameter]] as const] : []),
    ...all(bodyBreaches, endpoint?.body || endpoint?.form ? 4 : 2),
    ...all(queryBreaches, endpoint?.query || route.path === "(signed)" ? 6 : 1),
    ...all(targetBreaches, 3),
    ...all(headerBreaches, 5),
    [1.5, ["another method", (draft, { dice }) => otherMethod(draft, dice)]],
  ];
}

const roleFor = ({ name, endpoint }: TestRoute, dice: Dice): Role => {
  const ending = name === "POST /api/admin/logout" || name === "DELETE /api/admin/sessions/:id";
  const admin = ending ? "ending admin" : "admin";
  if (endpoint?.access === "admin") return dice.chance(0.75) ? admin : dice.pick(["anonymous", "key", admin]);
  return weighted<Role>(dice, [
    [3, "anonymous"],
    [3, "key"],
    [1, "scoped key"],
    [3, admin],
  ]);
};

/** An address that nobody has counted guesses of yet. */
const someAddress = (dice: Dice): string => `10.${dice.below(250)}.${dice.below(250)}.${dice.below(250)}`;

/** Makes the request with this number: the same one each time for the same seed and the same known house. */
export function hostileRequest(seed: number, number: number, known: Known): HostileRequest {
  const dice = createDice(seed, number);
  const route = testRoutes[number % testRoutes.length] as TestRoute;
  const making = { route, dice, known };
  const as = roleFor(route, dice);
  const draft = right(making);
  const address: [string, string] = ["x-forwarded-for", someAddress(dice)];
  draft.headers.push(address, ...known.credentials[as].map(([name, value]): [string, string] => [name, value]));
  const possible = breachesFor(making);
  const chosen = Array.from({ length: dice.pick([0, 1, 1, 1, 1, 1, 2, 2, 2, 3]) }, () => weighted(dice, possible));
  for (const [, breach] of chosen) breach(draft, making);
  tame(draft, route, known);
  const [framing, { bytes, after }] = framed(draft, dice);
  const breaches = [...chosen.map(([name]) => name), ...framing];
  const { method } = draft;
  return { number, route: route.name, method, as, breaches, bytes: Buffer.from(bytes, "latin1"), after };
}

function framed(draft: Draft, dice: Dice): [names: readonly string[], framed: Framed] {
  if (dice.chance(0.06)) {
    const name = dice.pick(Object.keys(framings));
    const framing = framings[name];
    if (framing) return [[name], framing(draft, dice)];
  }
  if (!isMethod(draft.method)) return [[], { ...sound(draft), after: "settle" }];
  return draft.body !== undefined && dice.chance(0.1) ? [[], chunked(draft, dice)] : [[], sound(draft)];
}
