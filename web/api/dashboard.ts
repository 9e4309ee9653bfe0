import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { activity } from "#contract/activity";
import { dashboard } from "#contract/dashboard";
import { caches, system } from "#contract/system";
import { adminKeys } from "./admin-query-keys.ts";
import { call } from "./call.ts";
import { activityKeys } from "./query-keys.ts";

/** The figures of the dashboard. Requested again each time it is opened. */
export const useDashboard = () =>
  useQuery({
    queryKey: adminKeys.dashboard,
    queryFn: async ({ signal }) => (await call(dashboard.stats, { signal })).data,
    staleTime: 0,
  });

/** What happened last to whatever is shared. */
export const useRecentActivity = () =>
  useQuery({
    queryKey: [...activityKeys.all, "recent"],
    queryFn: async ({ signal }) => (await call(activity.recent, { signal })).data,
    staleTime: 0,
  });

/** The server's caches, and the memory of the process. */
export const useCaches = () =>
  useQuery({
    queryKey: adminKeys.caches,
    queryFn: async ({ signal }) => (await call(caches.stats, { signal })).data,
    staleTime: 0,
  });

/** Clears the server's caches, of one mount if one is given; returns the number of entries. */
export function useClearCaches() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (mountId: string | undefined) => {
      const { data } = await call(caches.clear, { body: mountId === undefined ? {} : { mountId } });
      return data.clearedCount;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: adminKeys.caches }),
  });
}

/** The version and environment of the server. */
export const useVersion = () =>
  useQuery({
    queryKey: ["version"],
    queryFn: async ({ signal }) => (await call(system.version, { signal })).data,
  });
