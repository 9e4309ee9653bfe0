import { useQuery } from "@tanstack/react-query";
import { appUpdate } from "./app-update.ts";

/** Code that a page loads on first use, cached under its name; loaded again only by `again`, and not before it is wanted. */
export function useCode<Code>(name: string, load: () => Promise<Code>, enabled = true) {
  const query = useQuery({
    queryKey: ["code", name],
    queryFn: () => appUpdate.arrival(load),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  /** Tries again. Browsers remember that code did not arrive until the page is loaded anew, which `reloads` says may be done. */
  const again = async (reloads = true): Promise<void> => {
    const { isError } = await query.refetch();
    if (isError && reloads && navigator.onLine) window.location.reload();
  };
  return { ...query, again };
}
