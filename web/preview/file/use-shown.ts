import { useQuery } from "@tanstack/react-query";
import { type Previewed, type Shown, shownAs } from "#contract/shown-as";
import { appUpdate } from "../../page/app-update.ts";

/** How a file is shown; one of which nothing is known is asked with its first bytes, read from `address`. */
export function useShown(file: Previewed, address: string | undefined): Shown {
  const known = shownAs(file);
  const asks = known.as === "nothing" && known.why === "unknown" && file.size > 0 && address !== undefined;
  const { data } = useQuery({
    queryKey: ["file", "sniffed", address],
    queryFn: async ({ signal }) => {
      const { sniff, SNIFFED_BYTES } = await appUpdate.arrival(() => import("./sniff.ts"));
      const headers = { range: `bytes=0-${SNIFFED_BYTES - 1}` };
      const response = await fetch(address ?? "", { signal, headers });
      // A storage that does not know ranges would send all of it.
      if (response.status !== 206) {
        await response.body?.cancel();
        return null;
      }
      return sniff(new Uint8Array(await response.arrayBuffer()), file.size <= SNIFFED_BYTES) ?? null;
    },
    enabled: asks,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!asks || !data) return known;
  return shownAs({ ...file, filename: "", typeName: "unknown", mimetype: data });
}
