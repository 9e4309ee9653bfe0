import { useQuery } from "@tanstack/react-query";
import { endingOf } from "#contract/file-kinds";
import { loadWords, useLanguage } from "../../i18n/i18n.ts";
import { appUpdate } from "../../page/app-update.ts";
import type { CameraRow } from "./rows.ts";

/** Pictures into which cameras and programs write facts. */
const told: ReadonlySet<string> = new Set("jpg jpeg jfif heic heif hif avif webp png tif tiff".split(" "));

const none: readonly CameraRow[] = [];

/** What a camera has written into a picture, in words; nothing until it was read, and for files that hold none. */
export function useCamera(name: string, address: string | undefined): readonly CameraRow[] {
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ["file", "camera", address],
    queryFn: async ({ signal }) => {
      const [{ readCamera, rowsOf }] = await appUpdate.arrival(() =>
        Promise.all([import("./rows.ts"), loadWords("viewer")]),
      );
      return { facts: await readCamera(address ?? "", signal), rowsOf };
    },
    enabled: address !== undefined && told.has(endingOf(name)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  return data?.rowsOf(data.facts, language) ?? none;
}
