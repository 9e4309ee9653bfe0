import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * A change that resolves when these queries have been reloaded, also when it failed: of several things some may have been changed, or
 * somebody else was first.
 */
export function useReloadingMutation<Input, Output>(
  act: (input: Input) => Promise<Output>,
  ...queryKeys: readonly QueryKey[]
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => Promise.all(queryKeys.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
