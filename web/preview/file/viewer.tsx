import { Component, type ReactNode } from "react";
import type { Previewed, ViewerKind } from "#contract/shown-as";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useCode } from "../../page/code.ts";
import { Skeleton } from "../../ui/card.tsx";
import { FailedNotice } from "../../ui/notice.tsx";
import type { FileAddresses } from "./file-addresses.ts";
import { NoPreview } from "./no-preview.tsx";
import type { ViewerProps } from "./props.ts";
import { Stage } from "./stage.tsx";
import { loadedViewer, viewers } from "./viewers.ts";

interface FileViewerProps extends Pick<ViewerProps, "neighbours" | "onlineAddress" | "small" | "takeOut" | "level"> {
  readonly file: Previewed;
  readonly as: ViewerKind;
  readonly addresses: Pick<FileAddresses, "shown" | "read" | "onFail">;
  /** Whether a view was spent to see it, of which there may be no more: the page is not loaded anew by itself. */
  readonly scarce?: boolean;
}

/** The file itself, by the viewer of its kind. Nothing of it runs: what somebody stored must not act as a page of ours. */
export function FileViewer({
  addresses: { shown = "", read = "", onFail },
  as,
  scarce = false,
  ...rest
}: FileViewerProps) {
  useLanguage();
  const { data: Viewer = loadedViewer(as), error, isFetching, again } = useCode(`viewer of ${as}`, viewers[as]);
  if (error && !isFetching) {
    return <FailedNotice text={t("shell.lazy.text")} onRetry={() => void again(!scarce)} />;
  }
  if (!Viewer) {
    return (
      <div role="status" aria-label={t("share.gate.loading")} className="grid flex-1">
        <Skeleton className="min-h-72 rounded-xl" />
      </div>
    );
  }
  // Keyed by address: what failed for one says nothing about the next.
  const address = as === "image" || as === "video" || as === "audio" ? shown : read;
  return (
    <Guard key={`${as} ${address}`}>
      <Viewer {...{ as, shown, read, onFail, ...rest }} Inner={FileViewer} />
    </Guard>
  );
}

/** A file that a viewer trips over leaves the page as it is. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Stage>
        <NoPreview text={t("file.view.broken")} />
      </Stage>
    );
  }
}
