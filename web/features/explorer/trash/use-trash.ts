import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { fsTrash, type TrashItem } from "#contract/fs/trash";
import { parentOf } from "#contract/paths";
import { call } from "../../../api/call.ts";
import { ApiFailure, isFailure } from "../../../api/failure.ts";
import { treeKeys } from "../../../api/tree-query-keys.ts";
import { bare } from "../../../lib/folder-path.ts";
import { renew } from "../model/listing.ts";

/** How long the server may be silent, in milliseconds: on S3 a large folder is copied file by file. */
const PATIENCE = 10 * 60_000;

/** What is in the trash, newest first, and what can be done with it. What fails throws ApiFailure. */
export function useTrash() {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: treeKeys.trash,
    queryFn: async ({ pageParam, signal }) =>
      (await call(fsTrash.list, { query: pageParam === "" ? {} : { cursor: pageParam }, signal })).data,
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // Whoever looks again wants to know what is there by then.
    gcTime: 0,
  });
  const again = () => queries.invalidateQueries({ queryKey: treeKeys.trash });

  const restore = useMutation({
    mutationFn: async ({ id }: TrashItem): Promise<string> => {
      const body = { ids: [id] };
      const { restored, failed } = (await call(fsTrash.restore, { body, patience: PATIENCE })).data;
      const [first] = failed;
      if (first) throw new Error(first.message);
      return restored[0]?.path ?? "/";
    },
    onSuccess: (path) => renew(queries, parentOf(bare(path))),
    onSettled: again,
  });
  const remove = useMutation({
    mutationFn: async ({ id }: TrashItem) => await call(fsTrash.remove, { body: { ids: [id] }, patience: PATIENCE }),
    onSettled: again,
  });
  const empty = useMutation({
    mutationFn: async () => await call(fsTrash.empty, { patience: PATIENCE }),
    onSettled: again,
  });

  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    waiting: query.data === undefined && query.error === null,
    error: query.error,
    retry: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    arriving: query.isFetchingNextPage,
    restore,
    remove: (item: TrashItem) => gone(remove.mutateAsync(item)),
    empty: () => empty.mutateAsync(),
  };
}

/** Somebody else was faster. */
async function gone(removing: Promise<unknown>): Promise<void> {
  try {
    await removing;
  } catch (error) {
    if (!(error instanceof ApiFailure && isFailure(error, "trash.missing"))) throw error;
  }
}
