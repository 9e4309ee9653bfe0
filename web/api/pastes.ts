import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { CallInput } from "#contract/endpoint";
import { MAX_EARLIER_CHANGES } from "#contract/limits";
import { type NewPaste, type PasteChange, pastes } from "#contract/pastes";
import { randomKey } from "../lib/random-key.ts";
import { call } from "./call.ts";
import { isFailure } from "./failure.ts";
import { pasteKeys, visitorKeys } from "./query-keys.ts";

/** One page of the list of texts, without their content; the previous page stays visible while the next one loads. */
export const usePasteList = (query: NonNullable<CallInput<typeof pastes.list>["query"]>) =>
  useQuery({
    queryKey: pasteKeys.list(query),
    queryFn: ({ signal }) => call(pastes.list, { query: { ...query, content: "false" }, signal }),
    placeholderData: keepPreviousData,
  });

function usePasteMutation<Input, Output>(act: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => queries.invalidateQueries({ queryKey: pasteKeys.lists }),
    onError(error) {
      // The rights of visitors may have shrunk since the page asked.
      if (isFailure(error, "auth.required")) void queries.invalidateQueries({ queryKey: visitorKeys.all });
    },
  });
}

/** A text to share, with its Idempotency-Key. */
export interface Creation {
  readonly body: NewPaste;
  readonly requestKey: string;
}

/** Shares a text. */
export const useCreatePaste = () =>
  usePasteMutation(({ body, requestKey }: Creation) =>
    call(pastes.create, { body, headers: { "idempotency-key": requestKey } }),
  );

/** Changes a text, found by id or slug. A version that an earlier change from this page created, even one whose answer was lost, is no conflict. */
export function useUpdatePaste() {
  const asked = useRef<readonly string[]>([]);
  return usePasteMutation(async ({ id, change }: { id: string; change: PasteChange }) => {
    const requestKey = randomKey();
    const after = asked.current.slice(-MAX_EARLIER_CHANGES);
    asked.current = [...after, requestKey];
    const body = after.length > 0 ? { ...change, after: [...after] } : change;
    try {
      return (await call(pastes.update, { params: { id }, body, headers: { "idempotency-key": requestKey } })).data;
    } catch (error) {
      // A refused change has changed nothing.
      if (isFailure(error) && error.status >= 400 && error.status < 500) asked.current = after;
      throw error;
    }
  });
}

/** Deletes texts by id; returns how many there were. */
export const useDeletePastes = () =>
  usePasteMutation(async (ids: string[]) => {
    try {
      return (await call(pastes.remove, { body: { ids } })).data.deleted;
    } catch (error) {
      // They are already deleted, which was the aim.
      if (!isFailure(error, "share.missing")) throw error;
      return 0;
    }
  });

/** Deletes expired and used-up shares; returns how many there were. */
export const useClearExpired = () =>
  usePasteMutation(async () => (await call(pastes.clearExpired, { body: { clearExpired: true } })).data.deleted);
