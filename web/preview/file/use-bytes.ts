import { useQuery } from "@tanstack/react-query";
import { readBytes } from "./read-bytes.ts";

/** A file that is read as a whole, `most` bytes at most. Its address carries a grant: fetching it again spends no view. */
export const useBytes = (url: string, most: number) =>
  useQuery({
    queryKey: ["file", "bytes", url],
    queryFn: ({ signal }) => readBytes({ url, signal, most }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
