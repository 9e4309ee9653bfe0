import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PASTE_PAGE } from "#contract/limits";
import { type NewPaste, type PasteChange, pastes } from "#contract/pastes";
import { call } from "./call.ts";
import { pasteKeys } from "./query-keys.ts";

/** One page of the list of texts, the first being 1; the page before stays on view while the next one loads. */
export const usePasteList = (page: number) =>
  useQuery({
    queryKey: pasteKeys.list(page),
    queryFn: ({ signal }) => call(pastes.list, { query: { page, limit: PASTE_PAGE }, signal }),
    placeholderData: keepPreviousData,
  });

/** A whole text for its owner, by id or slug; spends no view. Asked anew each time, since it is about to be edited. */
export const usePaste = (idOrSlug: string) =>
  useQuery({
    queryKey: pasteKeys.whole(idOrSlug),
    queryFn: async ({ signal }) => (await call(pastes.read, { params: { id: idOrSlug }, signal })).data,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

function usePasteMutation<Input, Output>(act: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: pasteKeys.lists });
  return useMutation({ mutationFn: act, onSuccess: refresh });
}

/** A text to share, under a name that makes asking twice harmless. */
export interface Creation {
  readonly body: NewPaste;
  readonly requestKey: string;
}

/** Shares a text. */
export const useCreatePaste = () =>
  usePasteMutation(({ body, requestKey }: Creation) =>
    call(pastes.create, { body, headers: { "idempotency-key": requestKey } }),
  );

/** Changes a text, found by id or slug. */
export const useUpdatePaste = () =>
  usePasteMutation(async ({ id, change }: { id: string; change: PasteChange }) => {
    return (await call(pastes.update, { params: { id }, body: change })).data;
  });

/** Deletes texts by id; gives how many there were. */
export const useDeletePastes = () =>
  usePasteMutation(async (ids: string[]) => (await call(pastes.remove, { body: { ids } })).data.deleted);

/** Deletes what has expired or is used up; gives how many there were. */
export const useClearExpired = () =>
  usePasteMutation(async () => (await call(pastes.clearExpired, { body: { clearExpired: true } })).data.deleted);
