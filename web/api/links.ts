import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CallInput } from "#contract/endpoint";
import { type LinkChange, type LinkConnection, links, type NewLink } from "#contract/links";
import { call } from "./call.ts";
import { failureText } from "./failure.ts";
import { linkKeys } from "./query-keys.ts";
import { useReloadingMutation } from "./reloading-mutation.ts";

/** One page of the list of links; the previous page stays visible while the next one loads. */
export const useLinkList = (query: NonNullable<CallInput<typeof links.list>["query"]>, enabled = true) =>
  useQuery({
    queryKey: linkKeys.list(query),
    queryFn: async ({ signal }) => (await call(links.list, { query, signal })).data,
    placeholderData: keepPreviousData,
    enabled,
  });

/** One link with all of its items, of which a list has only the first. */
export const useLinkRecord = (id: string) =>
  useQuery({
    queryKey: linkKeys.record(id),
    queryFn: async ({ signal }) => (await call(links.get, { params: { id }, signal })).data,
  });

/** One page of what senders have sent by a link. */
export const useReceived = (id: string, page: { readonly limit: number; readonly offset: number }, enabled = true) =>
  useQuery({
    enabled,
    queryKey: linkKeys.received(id, page),
    queryFn: async ({ signal }) => (await call(links.received, { params: { id }, query: page, signal })).data,
    placeholderData: keepPreviousData,
  });

/** How programs use a link. */
export const useLinkConnection = (id: string) =>
  useQuery({
    queryKey: linkKeys.connection(id),
    queryFn: async ({ signal }): Promise<LinkConnection> =>
      (await call(links.connect, { params: { id }, signal })).data,
    staleTime: 0,
  });

const useLinkMutation = <Input, Output>(act: (input: Input) => Promise<Output>) =>
  useReloadingMutation(act, linkKeys.all);

/** Makes a link. */
export const useCreateLink = () => useLinkMutation(async (body: NewLink) => (await call(links.create, { body })).data);

/** Changes a link, or pauses and resumes it. */
export const useUpdateLink = () =>
  useLinkMutation(
    async ({ id, change }: { id: string; change: LinkChange }) =>
      (await call(links.update, { params: { id }, body: change })).data,
  );

/** What is still there of links that were to be deleted, and why. */
export interface KeptLink {
  readonly id: string;
  readonly error: string;
}

/** Deletes links, one after the other; returns which could not be deleted. */
export const useRemoveLinks = () =>
  useLinkMutation(async (ids: readonly string[]): Promise<readonly KeptLink[]> => {
    const kept: KeptLink[] = [];
    for (const id of ids) {
      try {
        await call(links.remove, { params: { id } });
      } catch (error) {
        kept.push({ id, error: failureText(error) });
      }
    }
    return kept;
  });
