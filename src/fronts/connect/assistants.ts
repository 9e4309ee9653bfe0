/** How assistants use a key, by MCP. */

import type { ReadyText } from "#contract/connect";
import { tools } from "#contract/mcp";
import { allows } from "#contract/permissions";
import { readyFor, word } from "./ready.ts";
import type { Sharer } from "./shares.ts";

/** Whether a key has the rights for any tool. */
const hasTools = (permissions: number): boolean =>
  Object.values(tools).some(({ rights }) => rights.every((right) => allows(permissions, right)));

const json = (value: object): string => JSON.stringify(value, null, 2);

/** What assistants are told; nothing where the key has no tool. */
export function assistantTexts({ key, permissions, server }: Omit<Sharer, "target">): readonly ReadyText[] {
  if (!hasTools(permissions)) return [];
  const url = `${server}/mcp`;
  const headers = { Authorization: `Bearer ${key}` };
  const row = { does: "assist", via: "MCP" } as const;
  const claude = `claude mcp add --transport http satchel ${word(url)} \\\n  --header ${word(`Authorization: Bearer ${key}`)}`;
  const file = "mcp.json";
  return [
    ...readyFor("claude", [{ ...row, text: claude }]),
    ...readyFor("vscode", [{ ...row, file, text: json({ servers: { satchel: { type: "http", url, headers } } }) }]),
    ...readyFor("cursor", [{ ...row, file, text: json({ mcpServers: { satchel: { url, headers } } }) }]),
  ];
}
