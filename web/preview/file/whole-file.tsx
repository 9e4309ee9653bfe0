import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureText } from "../../api/failure.ts";
import { useLanguage } from "../../i18n/i18n.ts";
import { FailedNotice } from "../../ui/notice.tsx";
import { readBytes, readStart } from "./read-bytes.ts";
import { ReadingSkeleton } from "./reading-skeleton.tsx";

interface WholeFileProps {
  readonly address: string;
  /** Bytes. */
  readonly most: number;
  /** Whether a larger one is read up to there; else it is not shown. */
  readonly cut?: boolean;
  readonly children: (bytes: Uint8Array<ArrayBuffer>) => ReactNode;
}

/** A file that is fetched as a whole, or its beginning, before it is shown; what hinders that is said, and can be tried again. */
export function WholeFile({ address, most, cut = false, children }: WholeFileProps) {
  useLanguage();
  const { data, error, isFetching, refetch } = useBytes(address, most, cut);
  if (error && !isFetching) {
    return <FailedNotice text={failureText(error)} onRetry={refetch} />;
  }
  return data ? children(data) : <ReadingSkeleton />;
}

/** A file of `most` bytes at most, or so much of a larger one. Its address carries a grant: fetching it again spends no view. */
const useBytes = (url: string, most: number, cut: boolean) =>
  useQuery({
    queryKey: ["file", "bytes", url, cut],
    queryFn: ({ signal }) => (cut ? readStart : readBytes)({ url, signal, most }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
