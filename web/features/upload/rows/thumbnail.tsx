import { useEffect, useState } from "react";
import type { FileType } from "#contract/files";
import { FileIcon } from "../../../ui/file-kind/file-icon.tsx";

/** Pictures above this are not decoded for a look, in bytes. */
const MAX_PICTURE = 20 * 1024 * 1024;

const types: readonly (readonly [RegExp, FileType])[] = [
  [/^image\//, "image"],
  [/^video\//, "video"],
  [/^audio\//, "audio"],
  [/^application\/pdf$/, "document"],
  [/officedocument|msword|ms-(excel|powerpoint)|opendocument/, "office"],
  [/^text\/|json|xml|javascript/, "text"],
];

/** The kind of a file that has not arrived, as far as the browser tells. */
const typeOf = ({ type }: File): FileType => types.find(([pattern]) => pattern.test(type))?.[1] ?? "unknown";

/** A small look at a picture, or a sign for the kind of file. */
export function Thumbnail({ file }: { readonly file: File }) {
  const type = typeOf(file);
  const url = useObjectUrl(type === "image" && file.size <= MAX_PICTURE ? file : undefined);
  const [broken, setBroken] = useState(false);
  return (
    <div className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-lg bg-sunken text-muted">
      {url && !broken ? (
        <img src={url} alt="" className="size-full object-cover" onError={() => setBroken(true)} />
      ) : (
        <FileIcon type={type} filename={file.name} className="size-5" />
      )}
    </div>
  );
}

/** An address for a file as long as it is shown. */
function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return url;
}
