import type { ReactNode } from "react";
import { t, useLanguage } from "../i18n/i18n.ts";
import type { useCode } from "../page/code.ts";
import { Skeleton } from "./card.tsx";
import { FailedNotice } from "./notice.tsx";

/** As useCode answers it. */
export interface Arriving<Code> extends Pick<ReturnType<typeof useCode>, "error" | "isFetching" | "again"> {
  readonly data: Code | undefined;
}

interface LoadedCodeProps<Code> {
  readonly code: Arriving<Code>;
  readonly children: (code: Code) => ReactNode;
}

/** What is shown by code that comes at its first use: its shape before, and a way to try again where the code does not come. */
export function LoadedCode<Code>({ code: { data, error, isFetching, again }, children }: LoadedCodeProps<Code>) {
  useLanguage();
  if (data !== undefined) return children(data);
  if (!error || isFetching) return <Skeleton className="min-h-72 flex-1 rounded-xl" />;
  return <FailedNotice text={t("shell.lazy.text")} onRetry={again} />;
}
