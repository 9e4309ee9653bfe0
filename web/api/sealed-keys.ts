import { useQuery } from "@tanstack/react-query";
import { type NewSealedKey, sealedKeys } from "#contract/sealed-keys";
import { call } from "./call.ts";
import { linkKeys } from "./query-keys.ts";
import { useReloadingMutation } from "./reloading-mutation.ts";

/** One's own keys that a passkey opens. */
export const useSealedKeys = (enabled = true) =>
  useQuery({
    queryKey: linkKeys.sealedKeys,
    queryFn: async ({ signal }) => (await call(sealedKeys.list, { signal })).data.keys,
    enabled,
  });

const useKeyMutation = <Input, Output>(act: (input: Input) => Promise<Output>) =>
  useReloadingMutation(act, linkKeys.sealedKeys);

/** Keeps one. */
export const useKeepSealedKey = () =>
  useKeyMutation(async (body: NewSealedKey) => (await call(sealedKeys.create, { body })).data);

/** Deletes one. */
export const useRemoveSealedKey = () =>
  useKeyMutation(async (id: string) => void (await call(sealedKeys.remove, { params: { id } })));
