import { useQuery } from "@tanstack/react-query";
import { appUpdate } from "./app-update.ts";

/** Code that is loaded ahead, before what shows it. */
interface CodeAhead<Code> {
  /** Loads it. Never rejects: what does without it goes on, and the page tells of what else did not arrive. */
  load(): Promise<void>;
  /** What has arrived; undefined before, and where it did not. */
  readonly arrived: () => Code | undefined;
}

/** Makes what loads code before the place where it is shown is there, so that nothing moves when it comes. */
export function codeAhead<Code>(load: () => Promise<Code>): CodeAhead<Code> {
  let code: Code | undefined;
  return {
    async load() {
      try {
        code ??= await appUpdate.arrival(load);
      } catch {
        code = undefined;
      }
    },
    arrived: () => code,
  };
}

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
