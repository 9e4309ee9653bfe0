import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isShrunk } from "#contract/file-kinds";
import { fs } from "#contract/fs";
import { fetchableAddress } from "../../../api/links.ts";
import { treeKeys } from "../../../api/tree-keys.ts";
import { useDrawable } from "../../../preview/image/use-drawable.ts";
import type { Entry } from "../model/entry.ts";
import { orRenew } from "../model/listing.ts";
import { throughServer, thumbAddress } from "../preview/addresses.ts";
import { useTree } from "../tree.ts";

/** Pictures of which the server makes no thumbnail are not fetched for a small look above this, in bytes. */
const MAX_PICTURE = 20 * 1024 * 1024;
/** How long the shortest address of a storage holds, in milliseconds. */
const ADDRESS_LIFE = 60_000;
/** Who scrolls by does not look; in milliseconds. */
const GLANCE = 120;

/** Reports whether a small look at an entry can be shown. */
export const hasThumbnail = (entry: Entry): boolean =>
  !entry.isDirectory && entry.typeName === "image" && (isShrunk(entry) || isFetchable(entry));

/** Reports whether a picture may be fetched as it is for a small look. */
const isFetchable = ({ size = 0 }: Entry): boolean => size <= MAX_PICTURE;

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
 * Where a picture is drawn from for a small look: nowhere until that is known, and for what is none or would take too much. Where
 * the server makes no thumbnail of it, it is drawn as it is.
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
  const small = data && thumbAddress(data, "320");
  const version = `${entry.path} ${entry.etag}`;
  const isSmall = small !== undefined && vain !== version;
  const whole = data?.preview_url !== undefined && isFetchable(entry) ? fetchableAddress(data.preview_url) : undefined;
  const drawable = useDrawable({
    shown: isSmall ? small : whole,
    read: through && fetchableAddress(`${through}&inline=1`),
    filename: entry.name,
    mimetype: data?.contentType ?? "",
  });
  return {
    ...drawable,
    /** Call when it did not load; returns whether it is drawn from elsewhere now. */
    onFail(): boolean {
      if (!isSmall) return false;
      setVain(version);
      return whole !== undefined;
    },
  };
}
