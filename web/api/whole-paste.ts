import { useQuery } from "@tanstack/react-query";
import { pastes } from "#contract/pastes";
import { call } from "./call.ts";
import { pasteKeys } from "./query-keys.ts";

/**
 * A whole text for its owner, by id or slug; spends no view. Always requested again, because it is about to be edited. Not in
 * pastes.ts, so that readers need not load what changes texts.
 */
export const usePaste = (idOrSlug: string) =>
  useQuery({
    queryKey: pasteKeys.whole(idOrSlug),
    queryFn: async ({ signal }) => (await call(pastes.read, { params: { id: idOrSlug }, signal })).data,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
