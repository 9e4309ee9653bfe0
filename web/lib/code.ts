import { useQuery } from "@tanstack/react-query";

/** Code that a page loads when it is first needed, kept under its name; asked for again only by `refetch`. */
export const useCode = <Code>(name: string, load: () => Promise<Code>) =>
  useQuery({ queryKey: ["code", name], queryFn: load, staleTime: Number.POSITIVE_INFINITY, retry: false });
