import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isShrunk } from "#contract/file-kinds";
import { fs } from "#contract/fs/fs";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { treeKeys } from "../../../api/tree-query-keys.ts";
import { useDrawable } from "../../../preview/image/use-drawable.ts";
import { drawnAs } from "../../../preview/small/drawn.ts";
import type { Entry } from "../model/entry.ts";
import { orRenew } from "../model/listing.ts";
import { throughServer, thumbAddress } from "../preview/addresses.ts";
import { useTree } from "../tree.ts";
import { useDrawn } from "./use-drawn.ts";

/** Pictures of which the server makes no thumbnail are not fetched for a small look above this, in bytes. */
const MAX_PICTURE = 20 * 1024 * 1024;
/** How long the shortest address of a storage holds, in milliseconds. */
const ADDRESS_LIFE = 60_000;
/** Who scrolls by does not look; in milliseconds. */
const GLANCE = 120;

/** Reports whether a small look at an entry can be shown. */
export const hasThumbnail = (entry: Entry): boolean =>
  !entry.isDirectory && (isFetchable(entry) || isShrunkPicture(entry) || drawnAs(entry) !== undefined);

const isShrunkPicture = (entry: Entry): boolean => entry.typeName === "image" && isShrunk(entry);

/** Reports whether a picture may be fetched as it is for a small look. */
const isFetchable = ({ typeName, size = 0 }: Entry): boolean => typeName === "image" && size <= MAX_PICTURE;

/** What the server knows of a file, with addresses that need no credential. */
export function usePreviewRecord(entry: Entry | undefined, wanted: boolean) {
  const queries = useQueryClient();
  const { call } = useTree();
  const path = entry?.path ?? "";
  return useQuery({
    queryKey: treeKeys.file(path, entry?.etag ?? ""),
    queryFn: async ({ signal }) => (await orRenew(queries, path, call(fs.get, { query: { path }, signal }))).data,
    enabled: wanted && entry !== undefined,
    staleTime: ADDRESS_LIFE,
    gcTime: ADDRESS_LIFE,
    refetchOnWindowFocus: false,
  });
}

/**
 * Where a picture is drawn from for a small look: nowhere until that is known, and for what is none or would take too much. The server makes
 * it or has been given it, this browser draws it, or it is drawn as it is.
 */
export function useThumbnail(entry: Entry) {
  const [stays, setStays] = useState(false);
  const [vain, setVain] = useState<string>();
  const wanted = hasThumbnail(entry);
  useEffect(() => {
    if (!wanted) return;
    const timer = setTimeout(() => setStays(true), GLANCE);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data } = usePreviewRecord(entry, wanted && stays);
  const through = data && throughServer(data);
  const made = data && thumbAddress(data, "320");
  const version = `${entry.path} ${entry.etag}`;
  const isMade = made !== undefined && vain !== version;
  const as = drawnAs(entry);
  const drawn = useDrawn(data, as, wanted && stays && !isMade);
  const isWhole = as === undefined && data?.preview_url !== undefined && isFetchable(entry);
  const whole = isWhole ? fetchableAddress(data.preview_url ?? "") : undefined;
  const drawable = useDrawable({
    shown: isMade ? made : whole,
    read: through && fetchableAddress(`${through}&inline=1`),
    // What was made is drawn as it is, whatever the file is.
    filename: isWhole && !isMade ? entry.name : "",
    mimetype: (isWhole && !isMade && data.contentType) || "",
  });
  return {
    ...(as && !isMade ? drawn : drawable),
    isPage: as === "page",
    /** Call when it did not load; returns whether it is drawn from elsewhere now. */
    onFail(): boolean {
      if (!isMade) return false;
      setVain(version);
      return whole !== undefined || as !== undefined;
    },
  };
}
