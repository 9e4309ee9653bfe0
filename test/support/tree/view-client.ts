import { Failure } from "#contract/failures";
import type { House } from "../../../src/house.ts";
import { responseOf } from "../../../src/lib/open-file.ts";
import type { View } from "../../../src/vfs/view.ts";
import { inLine, inLines, type TreeClient } from "../../suites/tree.ts";

const admin = { kind: "admin", sessionId: null } as const;

/** The tree through the View itself, which goes with `release`. */
export function viewClient({ vfs, jobs }: Pick<House, "vfs" | "jobs">, release: () => Promise<void>): TreeClient {
  const opened: Promise<View> = vfs.as(admin, "mount");
  const at = async (path: string) => (await opened).at(path);

  const copy = async (source: string, target: string, skipExisting: boolean): Promise<string> => {
    const conditions = { caller: async () => admin, protocol: "mount", signal: new AbortController().signal } as const;
    const outcomes = new Set<string>();
    for await (const step of jobs.run({ kind: "copy", source, target, skipExisting }, conditions))
      outcomes.add(step.failure?.code ?? step.outcome);
    const [first = "ok"] = [...outcomes].filter((one) => one !== "done");
    return first;
  };

  const verbs: TreeClient["verbs"] = {
    put: async (path = "", text = "") => {
      await (await at(path)).put({ body: new Response(text), length: Buffer.byteLength(text) });
      return "ok";
    },
    get: async (path = "") => {
      const file = await (await at(path)).open();
      const body = await file.read();
      return body === undefined ? "gone" : inLine(await responseOf(body).text());
    },
    list: async (path = "") => {
      const { entries } = await (await at(path)).list();
      return inLines(entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name)));
    },
    stat: async (path = "") => {
      const { entry } = await (await at(path)).stat();
      return entry.kind === "folder" ? "folder" : `file ${entry.size}`;
    },
    mkdir: async (path = "") => {
      await (await at(path)).mkdir();
      return "ok";
    },
    move: async (from = "", to = "") => {
      await (await at(from)).move(await at(to));
      return "ok";
    },
    copy: (from = "", to = "") => copy(from, to, false),
    keep: (from = "", to = "") => copy(from, to, true),
    remove: async (path = "") => {
      await (await at(path)).remove();
      return "ok";
    },
    search: async (query = "") => {
      const { results } = await (await opened).search({ query, scope: "global", limit: 50, offset: 0 });
      const paths = results.map(({ entry: { path, kind } }) => (kind === "folder" ? `${path}/` : path));
      return inLines(paths.sort());
    },
  };
  return { verbs: orCode(verbs), [Symbol.asyncDispose]: release };
}

/** Verbs that answer the code of a failure. */
function orCode(verbs: TreeClient["verbs"]): TreeClient["verbs"] {
  const coded = Object.entries(verbs).map(([name, verb]) => [
    name,
    async (...words: string[]) => {
      try {
        return await verb(...words);
      } catch (error) {
        if (error instanceof Failure) return error.code;
        throw error;
      }
    },
  ]);
  return Object.fromEntries(coded) as TreeClient["verbs"];
}
