import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type MountChange, type MountRecord, mounts, type NewMount } from "#contract/mounts";
import { call } from "./call.ts";
import { mountKeys, storageKeys } from "./query-keys.ts";

/** Milliseconds between two looks at the mounts while the index of one is being built. */
const LOOK_EVERY = 2000;

/** Every mount as the administrator sees it, inactive ones too, by sort order and name. */
export const useMounts = () =>
  useQuery({
    queryKey: mountKeys.all,
    queryFn: async ({ signal }) => (await call(mounts.list, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(({ indexing }) => indexing !== undefined) ? LOOK_EVERY : false),
  });

/** Resolves when the list has been reloaded after a change. */
function useMountMutation<Input, Output>(act: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: storageKeys.uses });
    return queries.invalidateQueries({ queryKey: mountKeys.all });
  };
  return useMutation({ mutationFn: act, onSuccess: refresh });
}

/** Mounts a storage. */
export const useCreateMount = () =>
  useMountMutation(async (body: NewMount) => (await call(mounts.create, { body })).data);

/** Changes the given fields of a mount. */
export const useUpdateMount = () =>
  useMountMutation(({ id, change }: { id: string; change: MountChange }) =>
    call(mounts.update, { params: { id }, body: change }),
  );

/** Takes a mount out of the tree. */
export const useRemoveMount = () => useMountMutation((id: string) => call(mounts.remove, { params: { id } }));

/** Switches a mount on or off. The list shows it at once, and reverts if the server refuses. */
export function useSwitchMount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, active }: { id: string; active: boolean }) =>
      call(mounts.update, { params: { id }, body: { is_active: active } }),
    async onMutate({ id, active }) {
      await queries.cancelQueries({ queryKey: mountKeys.all });
      queries.setQueryData<MountRecord[]>(mountKeys.all, (present) =>
        present?.map((mount) => (mount.id === id ? { ...mount, is_active: Number(active) } : mount)),
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: mountKeys.all }),
  });
}
