import type { ToolInput, ToolName, ToolOutput } from "#contract/mcp";
import type { Caller } from "../../access/principal.ts";
import { word } from "../connect/ready.ts";
import type { RequestContext } from "../context.ts";

/** Who calls a tool, and by which request. */
export interface Call {
  readonly caller: Caller;
  readonly request: Request;
  readonly context: RequestContext;
}

/** What some tools do. */
export type Tools<Names extends ToolName> = {
  readonly [Name in Names]: (input: ToolInput<Name>, call: Call) => Promise<ToolOutput<Name>>;
};

/** A file beside whoever runs a command: neither an option nor, as `-`, what comes from a pipe. */
const local = (name: string): string => word(/^[-.]/.test(name) ? `./${name}` : name);

/** The command that saves a file. */
export const downloadLine = (name: string, url: string): string => `curl -fgL -o ${local(name)} ${word(url)}`;

/** How bytes get to an address: in a request of this kind, or by a command. */
export const uploadWay = (name: string, url: string, type: string) => ({
  url,
  method: "PUT" as const,
  headers: { "Content-Type": type },
  curl: `curl -fg -T ${local(name)} -H ${word(`Content-Type: ${type}`)} ${word(url)}`,
});
