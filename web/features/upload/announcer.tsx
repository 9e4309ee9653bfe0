import { useEffect, useRef, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import type { UploadItem } from "../../transfer/uploads.ts";

/** More changes at once are told as a sum. */
const NAMED = 2;

type Status = UploadItem["state"] | "connection";

const statusOf = ({ state, waiting }: UploadItem): Status => (waiting === "connection" ? waiting : state);

/** Tells those who cannot see the list when a file arrives, fails or stands still; never how far it is. */
export function Announcer({ items }: { readonly items: readonly UploadItem[] }) {
  useLanguage();
  const before = useRef<ReadonlyMap<string, Status>>(new Map());
  const [said, setSaid] = useState("");
  useEffect(() => {
    const known = before.current;
    before.current = new Map(items.map((item) => [item.id, statusOf(item)]));
    const changed = items.filter((item) => known.has(item.id) && known.get(item.id) !== statusOf(item));
    const sentence = changed.length > NAMED ? sumOf(items) : changed.flatMap(sentenceOf).join(" ");
    if (sentence !== "") setSaid(sentence);
  }, [items]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}

function sentenceOf(item: UploadItem): string[] {
  const status = statusOf(item);
  return status === "idle" || status === "uploading"
    ? []
    : [t(`upload.said.${status}`, { name: shownName(item.file.name) })];
}

function sumOf(items: readonly UploadItem[]): string {
  const count = (wanted: UploadItem["state"]) => items.filter(({ state }) => state === wanted).length;
  return t("upload.said.many", { done: count("completed"), failed: count("failed") });
}
