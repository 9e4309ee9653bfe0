import { type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { parentOf } from "#contract/paths";
import { entriesIn, type Listed } from "../../../api/entries-in.ts";
import { treeKeys } from "../../../api/tree-query-keys.ts";
import { useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { createNameOrder } from "../model/order.ts";
import { useTree } from "../tree.ts";
import type { Branch } from "./rows.ts";

/** Folders that are shown of one before somebody asks for more. */
export const AT_ONCE = 1000;

interface Wanted {
  /** The paths of open folders. */
  readonly open: readonly string[];
  /** How many of a folder are wanted, where that is more than usual. */
  readonly most: ReadonlyMap<string, number>;
  readonly enabled: boolean;
}

/** Loads what open folders hold, each when it is opened, and answers what is known of one. */
export function useBranches({ open, most, enabled }: Wanted): (path: string) => Branch | undefined {
  const language = useLanguage();
  const queries = useQueryClient();
  const { call } = useTree();
  const combine = useCallback(
    (results: readonly { readonly data: Listed | undefined; readonly error: unknown }[]) => {
      const sorted = createNameOrder(language);
      return results.map(({ data, error }) => ({
        folders: data && sorted([data.found]),
        hasMore: data?.hasMore === true,
        error,
        version: data?.version,
      }));
    },
    [language],
  );
  const branches = useQueries({
    queries: open.map((folder) => {
      const wanted = most.get(folder) ?? AT_ONCE;
      return {
        queryKey: treeKeys.branch(folder, wanted),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          entriesIn({ call, folder, files: false, most: wanted, signal }),
        // Those that are shown stay while more of them come.
        placeholderData: () => queries.getQueryData<Listed>(treeKeys.branch(folder, wanted - AT_ONCE)),
        enabled,
      };
    }),
    combine,
  });
  return useMemo(() => {
    const byPath = new Map(open.map((path, index) => [path, branches[index]]));
    return (path: string) => byPath.get(path);
  }, [open, branches]);
}

/** Loads open folders again, each after the one it is in: of what is gone nothing is asked. */
export async function refreshBranches(queries: QueryClient, open: readonly string[]): Promise<void> {
  for (const folder of open.toSorted((one, other) => one.length - other.length)) {
    if (!isGone(queries, folder)) await queries.refetchQueries({ queryKey: treeKeys.branches(folder), type: "active" });
  }
}

/** Whether the folder around one is known and does not have it. */
function isGone(queries: QueryClient, folder: string): boolean {
  const lists = queries.getQueriesData<Listed>({ queryKey: treeKeys.branches(parentOf(folder)), type: "active" });
  const lacks = ({ found, hasMore }: Listed) => !hasMore && found.every(({ path }) => bare(path) !== folder);
  return folder !== "/" && lists.some(([, listed]) => listed && lacks(listed));
}
