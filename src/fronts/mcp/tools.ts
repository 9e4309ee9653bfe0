/** The tools: which of them a caller has, and what becomes of a call. */

import * as z from "zod/mini";
import { Failure } from "#contract/failures";
import { type ToolName, tools } from "#contract/mcp";
import { sentence } from "#contract/messages/sentence";
import type { Caller } from "../../access/principal.ts";
import { hasRight } from "../../access/rights.ts";
import type { House } from "../../house.ts";
import { languageOf } from "../language.ts";
import { toFailure } from "../rest/failures.ts";
import { parse } from "../rest/request/validation.ts";
import type { Call } from "./call.ts";
import { codes, ProtocolError } from "./messages.ts";
import { createShareTools } from "./share-tools.ts";
import { createChangingTools, createReadingTools } from "./tree-tools.ts";

const isTool = (name: unknown): name is ToolName => typeof name === "string" && Object.hasOwn(tools, name);

const mayCall = (caller: Caller, name: ToolName): boolean =>
  tools[name].rights.every((right) => hasRight(caller, right));

type Described = ReturnType<typeof describe>;

/** A tool as it is listed. */
function describe(name: ToolName) {
  const { title, description, annotations, input, output } = tools[name];
  return {
    ...{ name, title, description, annotations: { title, ...annotations } },
    inputSchema: z.toJSONSchema(input, { io: "input", unrepresentable: "any" }),
    outputSchema: z.toJSONSchema(output, { io: "output", unrepresentable: "any" }),
  };
}

/** What a tool answers, for models as text and for programs as it is. */
const content = (text: string) => [{ type: "text", text }];

/** Characters of a name of the caller's own that a sentence repeats. */
const REPEATED = 60;

/** The input of a tool. 400 body.invalid with the name of the field, option.unknown. */
function readInput(name: ToolName, sent: unknown): unknown {
  const { input } = tools[name];
  const issue = z.safeParse(input, sent).error?.issues[0];
  if (issue?.code === "unrecognized_keys")
    throw new Failure("option.unknown", { option: (issue.keys[0] ?? "").slice(0, REPEATED) });
  return parse(input, () => sent, "body");
}

type Run = (input: unknown, call: Call) => Promise<unknown>;

export function createTools(house: House) {
  const running = { ...createReadingTools(house), ...createChangingTools(house), ...createShareTools(house) };
  const described = new Map<ToolName, Described>();
  const descriptionOf = (name: ToolName): Described => {
    const known = described.get(name) ?? describe(name);
    described.set(name, known);
    return known;
  };

  const run = async (name: ToolName, sent: unknown, call: Call): Promise<unknown> => {
    if (!mayCall(call.caller, name)) throw new Failure("auth.forbidden");
    const output = await (running[name] as Run)(readInput(name, sent), call);
    return parse(tools[name].output, () => output, "response");
  };

  return {
    /** Those that the caller has the rights for, in one page. */
    list(caller: Caller, { cursor }: Readonly<Record<string, unknown>>) {
      if (cursor !== undefined) throw new ProtocolError(codes.invalidParams, "There is no such page", 200);
      const open = Object.keys(tools).filter((name) => isTool(name) && mayCall(caller, name));
      return { tools: open.filter(isTool).map(descriptionOf) };
    },

    /** What goes wrong in a tool is its result, so that a model can do better; only a bug is an error of the protocol. */
    async call({ name, arguments: sent = {} }: Readonly<Record<string, unknown>>, call: Call) {
      if (!isTool(name)) throw new ProtocolError(codes.invalidParams, "Unknown tool", 200);
      try {
        const structuredContent = await run(name, sent, call);
        return { content: content(JSON.stringify(structuredContent)), structuredContent, isError: false };
      } catch (error) {
        const failure = toFailure(error, call.context.requestId, house.log);
        const said = sentence(failure, languageOf(call.request.headers));
        if (failure.code === "internal") throw new ProtocolError(codes.internal, said, 500);
        return { content: content(said), isError: true };
      }
    },
  };
}
