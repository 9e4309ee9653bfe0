import type { ReactNode } from "react";
import { MAX_SHOWN_DOCUMENT } from "#contract/viewer-limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Frame } from "../file/frame.tsx";
import type { ViewerProps } from "../file/props.ts";
import { WholeFile } from "../file/whole-file.tsx";
import { WorkerResult } from "../file/worker-result.tsx";
import { OnlineView } from "./online-view.tsx";

interface DocumentFrameProps<Result> extends Pick<ViewerProps, "file" | "read" | "onlineAddress"> {
  /** The address of the worker that reads it. */
  readonly worker: string;
  readonly children: (result: Result) => ReactNode;
}

/** A document that a worker reads as a whole, or one of the services that show it. */
export function DocumentFrame<Result>(props: DocumentFrameProps<Result>) {
  useLanguage();
  const { file, read, onlineAddress, worker, children } = props;
  return (
    <OnlineView name={file.filename} address={onlineAddress}>
      {(online) => (
        <WholeFile address={read} most={MAX_SHOWN_DOCUMENT}>
          {(bytes) => (
            <Frame label={t("file.view.tools")} tools={online}>
              <WorkerResult<Result> address={worker} message={bytes}>
                {children}
              </WorkerResult>
            </Frame>
          )}
        </WholeFile>
      )}
    </OnlineView>
  );
}
