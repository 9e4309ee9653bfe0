import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLanguage } from "../../i18n/i18n.ts";
import { randomKey } from "../../lib/random-key.ts";
import { useShownTheme } from "../../page/theme.ts";
import type { ViewerProps } from "../file/props.ts";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import { UnreadFile } from "../file/worker-result.tsx";
import { SandboxedFrame } from "../html/sandboxed-frame.tsx";
import { DocumentFrame } from "../office/document-frame.tsx";
import workerAddress from "./docx.worker.ts?worker";
import { deskOf, layOut } from "./lay-out.ts";

/** A Word document, page by page. */
export const DocxViewer = (props: ViewerProps) => (
  <DocumentFrame<Uint8Array<ArrayBuffer>> {...props} worker={workerAddress}>
    {(checked) => <Pages bytes={checked} name={props.file.filename} />}
  </DocumentFrame>
);

interface PagesProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
}

function Pages({ bytes, name }: PagesProps) {
  useLanguage();
  const theme = useShownTheme();
  // Each document that is read gets a name of its own in the cache.
  const key = useMemo(() => ({ bytes, id: randomKey() }), [bytes]);
  const { data, error } = useQuery({
    queryKey: ["file", "docx", key.id],
    queryFn: () => layOut(key.bytes),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error) return <UnreadFile code="broken" />;
  return data ? (
    <SandboxedFrame html={data.html} style={data.style + deskOf(theme)} title={name} />
  ) : (
    <ReadingSkeleton />
  );
}
