import { useQuery } from "@tanstack/react-query";

/** Code that a page loads on first use, cached under its name; loaded again only by `refetch`. */
export const useCode = <Code>(name: string, load: () => Promise<Code>) =>
  useQuery({ queryKey: ["code", name], queryFn: load, staleTime: Number.POSITIVE_INFINITY, retry: false });
