import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isDecodable } from "../../lib/pixels.ts";
import { appUpdate } from "../../page/app-update.ts";
import { useBlobAddress } from "../file/blob-address.ts";
import type { MusicTags } from "./tags.ts";

/** What a recording says of itself; nothing until it was read, and for what is none (no address). */
export function useMusic(address: string | undefined): MusicTags | undefined {
  const { data } = useQuery({
    queryKey: ["file", "music", address],
    queryFn: async ({ signal }) => {
      const { readMusic } = await appUpdate.arrival(() => import("./music.ts"));
      return await readMusic(address ?? "", signal);
    },
    enabled: address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  return data;
}

/** Where a cover is drawn from; undefined until it is known that it can be: a kilobyte may claim a billion pixels. */
export function useCover(cover: Blob | undefined): string | undefined {
  const address = useBlobAddress(cover);
  const [drawable, setDrawable] = useState<string>();
  useEffect(() => {
    if (!address) return;
    const picture = new Image();
    picture.onload = () => isDecodable(picture) && setDrawable(address);
    picture.src = address;
    return () => {
      picture.onload = null;
    };
  }, [address]);
  return address === drawable ? address : undefined;
}
