import Lock from "lucide-react/icons/lock";
import { useCallback, useEffect, useRef, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { Neighbours } from "../../../preview/file/neighbours.ts";
import { NoPreview } from "../../../preview/file/no-preview.tsx";
import { Stage } from "../../../preview/file/stage.tsx";
import { SealedContent } from "../../../preview/sealed/content.tsx";
import { type Problem, previewedOf, problemOf, type Unlocked } from "../../../preview/sealed/unlocked.ts";
import { useAddress } from "../../../preview/sealed/use-address.ts";
import { canSeal, type Key, recipientOf } from "../../../sealed/locks.ts";
import { openHeader } from "../../../sealed/open.ts";
import { sourceAt } from "../../../sealed/served/source.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { KeyForm } from "./key-form.tsx";
import { OtherRecipient } from "./other-recipient.tsx";
import { forgetOpened, keepKey, keptKey } from "./remembered-key.ts";

interface SealedFileProps {
  /** As it lies in the tree: `NAME.age`. */
  readonly name: string;
  readonly path: string;
  readonly address: string;
  /** Bytes of the sealed file. */
  readonly size: number;
  readonly neighbours: Neighbours;
}

/** A sealed file of the tree, such as senders leave in a sealed inbox: opened here, with the key that one of them was opened with in the last ten minutes. */
export function SealedFile({ name, path, address, size, neighbours }: SealedFileProps) {
  useLanguage();
  const [unlocked, setUnlocked] = useState<Unlocked>();
  /** For whom it was sealed, where a key has opened it. */
  const [recipient, setRecipient] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  /** Not while a key that was given before may fit. */
  const [isAsked, setAsked] = useState(() => keptKey() === undefined);
  const attempt = useRef<AbortController>(undefined);

  const open = useCallback(
    async (key: Key) => {
      attempt.current?.abort();
      attempt.current = new AbortController();
      const { signal } = attempt.current;
      setBusy(true);
      setProblem(undefined);
      try {
        const opening = await openHeader(sourceAt({ url: address, size, end: 0 }), key, signal);
        const names = { name: name.replace(/\.age$/i, ""), type: "application/octet-stream", kind: "file" } as const;
        const sealedFor = "identity" in key ? await recipientOf(key.identity) : undefined;
        if (signal.aborted) return;
        setRecipient(sealedFor);
        setUnlocked({ names: { ...names, size: opening.size }, opening, source: address });
        // A password costs a second and up to a GiB each time: it is asked for again.
        if ("identity" in key) keepKey(key);
      } catch (error) {
        if (signal.aborted) return;
        setProblem(problemOf(error));
        setAsked(true);
      } finally {
        if (!signal.aborted) setBusy(false);
      }
    },
    [address, name, size],
  );
  useEffect(() => {
    const key = keptKey();
    if (key) void open(key);
    else setAsked(true);
    return () => attempt.current?.abort();
  }, [open]);

  const forget = () => {
    forgetOpened();
    setUnlocked(undefined);
    setProblem(undefined);
    setAsked(true);
  };

  if (!canSeal())
    return (
      <Stage className="flex-1">
        <NoPreview text={t("sealed.noCrypto.text")} />
      </Stage>
    );
  if (unlocked)
    return (
      <>
        {recipient && <OtherRecipient {...{ path, recipient }} />}
        <Opened {...{ unlocked, neighbours }} onForget={forget} />
      </>
    );
  if (!isAsked) return <Skeleton className="min-h-72 flex-1 rounded-xl" />;
  return <KeyForm busy={busy} problem={problem} onGive={(key) => void open(key)} />;
}

interface OpenedProps extends Pick<SealedFileProps, "neighbours"> {
  readonly unlocked: Unlocked;
  readonly onForget: () => void;
}

/** By the viewer of its kind, which reads what this browser has opened. */
function Opened({ unlocked, neighbours, onForget }: OpenedProps) {
  const { served, broken } = useAddress(unlocked);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 text-[13px] text-muted">
        <p className="flex items-center gap-1.5">
          <Lock aria-hidden className="size-3.5 shrink-0 text-ok" />
          {t("sealed.inTree.open")}
        </p>
        <div className="flex gap-2">
          <Button onClick={onForget}>{t("sealed.inTree.forget")}</Button>
          {served.state === "ready" ? (
            <a href={served.download} download={served.saveAs} className={buttonClasses("quiet", "max-w-60")}>
              <span className="truncate">{t("sealed.inTree.download", { name: shownName(unlocked.names.name) })}</span>
            </a>
          ) : null}
        </div>
      </div>
      <SealedContent {...{ served, broken, neighbours }} file={previewedOf(unlocked)} />
    </>
  );
}
