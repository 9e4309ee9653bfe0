import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { MAX_SHOWN_DOCUMENT } from "#contract/viewer-limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { randomKey } from "../../lib/random-key.ts";
import { useShownTheme } from "../../lib/theme.ts";
import { Frame } from "../file/frame.tsx";
import type { ViewerProps } from "../file/props.ts";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import { WholeFile } from "../file/whole-file.tsx";
import { UnreadFile, WorkerResult } from "../file/worker-result.tsx";
import { SandboxedFrame } from "../html/sandboxed-frame.tsx";
import { OnlineView } from "../office/online-view.tsx";
import workerAddress from "./docx.worker.ts?worker";
import { deskOf, layOut } from "./lay-out.ts";

/** A Word document, page by page. */
export function DocxViewer({ file, read, onlineAddress }: ViewerProps) {
  return (
    <OnlineView name={file.filename} address={onlineAddress}>
      {(online) => (
        <WholeFile address={read} most={MAX_SHOWN_DOCUMENT}>
          {(bytes) => (
            <Frame label={t("file.view.tools")} tools={online}>
              <WorkerResult<Uint8Array<ArrayBuffer>> address={workerAddress} message={bytes}>
                {(checked) => <Pages bytes={checked} name={file.filename} />}
              </WorkerResult>
            </Frame>
          )}
        </WholeFile>
      )}
    </OnlineView>
  );
}

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
