import { useEffect, useEffectEvent, useState } from "react";
import { type Previewed, type Shown, shownAs } from "#contract/shown-as";
import { MAX_SHOWN_INSIDE } from "#contract/viewer-limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { appUpdate } from "../../page/app-update.ts";
import { useBlobAddress } from "../file/blob-address.ts";
import { NoPreview } from "../file/no-preview.tsx";
import type { ViewerProps } from "../file/props.ts";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import type { ArchiveEntry } from "./archive.ts";
import { typeInside } from "./rows.ts";

interface OpenedFileProps extends Required<Pick<ViewerProps, "Inner">>, Pick<ViewerProps, "takeOut"> {
  readonly entry: ArchiveEntry;
  readonly name: string;
  /** The level of an archive in it. */
  readonly level: number;
  readonly take: (entry: ArchiveEntry, use: (file: Blob) => unknown) => void;
  /** Ends what was begun. */
  readonly stop: () => void;
  /** Why it could not be taken out. */
  readonly problem: string | undefined;
}

interface Taken {
  readonly blob: Blob;
  readonly file: Previewed;
  readonly shown: Shown;
}

/** A file of an archive by the viewer of its kind, once it was taken out. */
export function OpenedFile({ entry, name, level, take, stop, problem, Inner, takeOut }: OpenedFileProps) {
  useLanguage();
  const [taken, setTaken] = useState<Taken>();
  const address = useBlobAddress(taken?.blob);
  const isTooLarge = (entry.size ?? 0) > MAX_SHOWN_INSIDE;
  const open = useEffectEvent(() => take(entry, async (blob) => setTaken(await look(name, blob))));
  const leave = useEffectEvent(stop);
  useEffect(() => {
    if (!isTooLarge) open();
    return () => leave();
  }, [isTooLarge]);
  if (isTooLarge) return <NotShown text={t("file.view.tooLarge")} />;
  if (problem !== undefined) return <NotShown text={problem} />;
  if (!taken || !address) return <ReadingSkeleton />;
  const { file, shown } = taken;
  if (shown.as === "nothing")
    return <NotShown text={t(shown.why === "tooLarge" ? "file.view.tooLarge" : "viewer.archive.unknown")} />;
  // It is loaded by this page alone, from its memory: there is no other way.
  const addresses = { shown: address, read: address, onFail: () => false };
  return <Inner {...{ file, addresses, level, takeOut }} as={shown.as} />;
}

/** How a file that was taken out is shown, by its name, or by its first bytes. */
async function look(filename: string, blob: Blob): Promise<Taken> {
  const file = { filename, mimetype: "", typeName: typeInside(filename), size: blob.size };
  if (blob.size > MAX_SHOWN_INSIDE) return { blob, file, shown: { as: "nothing", why: "tooLarge" } };
  const known = shownAs(file);
  if (known.as !== "nothing" || known.why === "tooLarge") return { blob, file, shown: known };
  const { sniff, SNIFFED_BYTES } = await appUpdate.arrival(() => import("../file/sniff.ts"));
  const start = new Uint8Array(await blob.slice(0, SNIFFED_BYTES).arrayBuffer());
  const mimetype = sniff(start, blob.size <= SNIFFED_BYTES) ?? "";
  const typeName = mimetype.startsWith("text/") ? "text" : file.typeName;
  return { blob, file: { ...file, typeName }, shown: shownAs({ ...file, filename: "", mimetype, typeName }) };
}

const NotShown = ({ text }: { readonly text: string }) => (
  <div className="grid min-h-64 place-items-center">
    <NoPreview text={text} />
  </div>
);
