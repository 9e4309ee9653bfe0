import { useQuery } from "@tanstack/react-query";
import { type KeyChange, keys, type NewKey } from "#contract/keys";
import { call } from "./call.ts";
import { keyKeys } from "./query-keys.ts";
import { useReloadingMutation } from "./reloading-mutation.ts";

/** Every API key with its secret, newest first, expired ones too. Only the administrator may ask. */
export const useKeys = (enabled = true) =>
  useQuery({
    queryKey: keyKeys.all,
    queryFn: async ({ signal }) => (await call(keys.list, { signal })).data,
    enabled,
  });

/** How programs reach the server with a key: addresses, and lines to paste. */
export const useKeyConnection = (id: string) =>
  useQuery({
    queryKey: keyKeys.connection(id),
    queryFn: async ({ signal }) => (await call(keys.connect, { params: { id }, signal })).data,
    staleTime: 0,
  });

/** How programs reach the server with the key that is signed in here. */
export const useOwnConnection = () =>
  useQuery({
    queryKey: keyKeys.ownConnection,
    queryFn: async ({ signal }) => (await call(keys.ownConnection, { signal })).data,
    staleTime: 0,
  });

const useKeyMutation = <Input, Output>(act: (input: Input) => Promise<Output>) =>
  useReloadingMutation(act, keyKeys.all);

/** Makes an API key. */
export const useCreateKey = () => useKeyMutation(async (body: NewKey) => (await call(keys.create, { body })).data);

/** Changes what is given of a key. */
export const useUpdateKey = () =>
  useKeyMutation(({ id, change }: { id: string; change: KeyChange }) =>
    call(keys.update, { params: { id }, body: change }),
  );

/** Has a key admit nobody, or admit again. */
export const useSuspendKey = () =>
  useKeyMutation(({ id, suspended }: { id: string; suspended: boolean }) =>
    call(suspended ? keys.suspend : keys.resume, { params: { id } }),
  );

/** Deletes a key, which stops working at once. */
export const useRemoveKey = () => useKeyMutation((id: string) => call(keys.remove, { params: { id } }));
