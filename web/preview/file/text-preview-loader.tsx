import { useQuery } from "@tanstack/react-query";
import { failureText } from "../../api/failure.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useCode } from "../../lib/code.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card, Skeleton } from "../../ui/surface.tsx";
import { readText } from "./read-text.ts";

interface TextPreviewProps {
  readonly src: string;
  readonly as: "markdown" | "text";
}

/** Fetches a text and the code that shows it, side by side. */
export function TextPreviewLoader({ src, as }: TextPreviewProps) {
  useLanguage();
  const code = useCode("showing a text file", () => import("./text-preview.tsx"));
  // The address carries a grant: fetching it again spends no view.
  const text = useQuery({
    queryKey: ["file", "text", src],
    queryFn: ({ signal }) => readText(src, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const failed = text.error ?? code.error;
  if (failed && !text.isFetching && !code.isFetching) {
    const retry = () => {
      if (text.error) void text.refetch();
      if (code.error) void code.refetch();
    };
    return (
      <Notice tone="error" action={<Button onClick={retry}>{t("shell.actions.retry")}</Button>}>
        {text.error ? failureText(text.error) : t("shell.lazy.text")}
      </Notice>
    );
  }
  if (text.data === undefined || !code.data) return <TextSkeleton />;
  const { TextPreview } = code.data;
  return <TextPreview text={text.data} as={as} />;
}

function TextSkeleton() {
  useLanguage();
  return (
    <div role="status" aria-label={t("share.gate.loading")}>
      <Card className="grid gap-4 p-5 sm:p-8">
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-2/3" />
      </Card>
    </div>
  );
}
