import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureText } from "../../api/failure.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { readBytes } from "./read-bytes.ts";
import { ReadingSkeleton } from "./reading-skeleton.tsx";

interface WholeFileProps {
  readonly address: string;
  /** Bytes. */
  readonly most: number;
  readonly children: (bytes: Uint8Array<ArrayBuffer>) => ReactNode;
}

/** A file that is fetched as a whole before it is shown; what hinders that is said, and can be tried again. */
export function WholeFile({ address, most, children }: WholeFileProps) {
  useLanguage();
  const { data, error, isFetching, refetch } = useBytes(address, most);
  if (error && !isFetching) {
    return (
      <Notice tone="error" action={<Button onClick={() => void refetch()}>{t("shell.actions.retry")}</Button>}>
        {failureText(error)}
      </Notice>
    );
  }
  return data ? children(data) : <ReadingSkeleton />;
}

/** A file that is read as a whole, `most` bytes at most. Its address carries a grant: fetching it again spends no view. */
const useBytes = (url: string, most: number) =>
  useQuery({
    queryKey: ["file", "bytes", url],
    queryFn: ({ signal }) => readBytes({ url, signal, most }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
