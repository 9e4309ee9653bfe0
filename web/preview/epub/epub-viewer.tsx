import { useEffect, useState } from "react";
import { MAX_SHOWN_BOOK } from "#contract/viewer-limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Card } from "../../ui/card.tsx";
import { NoPreview } from "../file/no-preview.tsx";
import type { ViewerProps } from "../file/props.ts";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import { WorkerFailure } from "../file/run-worker.ts";
import { WholeFile } from "../file/whole-file.tsx";
import { UnreadFile } from "../file/worker-result.tsx";
import { startWorkerSession } from "../file/worker-session.ts";
import { BookReader } from "./book-reader.tsx";
import { BookFailure, type EpubQuestion, type TakeFile } from "./epub.ts";
import workerAddress from "./epub.worker.ts?worker";
import { type Book, readBook } from "./read-book.ts";

type State =
  | { readonly is: "opening" }
  | { readonly is: "failed"; readonly code: string }
  | { readonly is: "open"; readonly book: Book; readonly take: TakeFile };

/** A book: a chapter at a time, with its contents. */
export const EpubViewer = ({ file, read }: ViewerProps) => (
  <WholeFile address={read} most={MAX_SHOWN_BOOK}>
    {(bytes) => <Opening bytes={bytes} name={file.filename} />}
  </WholeFile>
);

function Opening({ bytes, name }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }) {
  useLanguage();
  const state = useBook(bytes);
  if (state.is === "open") return <BookReader book={state.book} take={state.take} name={name} />;
  if (state.is === "opening") return <ReadingSkeleton />;
  if (state.code !== "drm") return <UnreadFile code={state.code} />;
  return (
    <Card className="grid min-h-64 place-items-center">
      <NoPreview text={t("viewer.book.drm")} />
    </Card>
  );
}

/** Has a worker unpack what is read of the book, for as long as it is on view. */
function useBook(bytes: Uint8Array<ArrayBuffer>): State {
  const [state, setState] = useState<State>({ is: "opening" });
  useEffect(() => {
    let left = false;
    const worker = startWorkerSession<EpubQuestion, unknown, never>(workerAddress, () => undefined);
    const take: TakeFile = async (path, most) =>
      (await worker.ask({ take: path, most })) as Uint8Array<ArrayBuffer> | undefined;
    const open = async () => {
      await worker.ask({ open: bytes });
      return await readBook(take);
    };
    open().then(
      (book) => !left && setState({ is: "open", book, take }),
      (error: unknown) => {
        const isKnown = error instanceof BookFailure || error instanceof WorkerFailure;
        if (!left) setState({ is: "failed", code: isKnown ? error.code : "broken" });
      },
    );
    return () => {
      left = true;
      worker.end();
    };
  }, [bytes]);
  return state;
}
