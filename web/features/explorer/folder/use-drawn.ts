import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CallOutput } from "#contract/endpoint";
import { fsBytes } from "#contract/fs/bytes";
import type { fs } from "#contract/fs/fs";
import { MAX_OFFERED_THUMB, type thumbWidths } from "#contract/limits";
import { address, apiBase } from "../../../api/call.ts";
import { authorizationOf, credential } from "../../../api/session/credential.ts";
import { rightsNow } from "../../../api/session/rights.ts";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { treeKeys } from "../../../api/tree-query-keys.ts";
import { useBlobAddress } from "../../../preview/file/blob-address.ts";
import type { Drawn } from "../../../preview/small/draw.ts";
import type { DrawnAs } from "../../../preview/small/drawn.ts";
import { throughServer } from "../preview/addresses.ts";
import { useTree } from "../tree.ts";

type FileDetails = CallOutput<typeof fs.get>["data"];

/** How long a drawing is remembered that is not on view, and that a file cannot be drawn, in milliseconds. */
const REMEMBERED = 600_000;

/** What a browser says of its connection, where it does (Save Data API). */
interface Connected {
  readonly connection?: { readonly saveData?: boolean } | undefined;
}

/**
 * A small picture that this browser draws of a file and offers to the server, which keeps it for everybody. Files come through our own server:
 * what another origin hands out may be drawn, but not read.
 */
export function useDrawn(file: FileDetails | undefined, as: DrawnAs | undefined, wanted: boolean) {
  const queries = useQueryClient();
  const { link } = useTree();
  const through = file && throughServer(file);
  const isSpared = (navigator as Connected).connection?.saveData === true;
  const enabled = wanted && as !== undefined && through !== undefined && !isSpared;
  const { data, error } = useQuery({
    queryKey: treeKeys.drawn(file?.path ?? "", file?.etag ?? ""),
    queryFn: async ({ signal }) => {
      if (!file || !as) throw new Error("There is nothing to draw.");
      const { drawSmall } = await import("../../../preview/small/draw.ts");
      const { name: filename, contentType: mimetype, size = 0 } = file;
      const source = { as, filename, mimetype, size, address: inline(through ?? "") };
      const drawn = await drawSmall(source, signal);
      // A link keeps nothing of what its visitors draw.
      if (!link) offer(queries, file, drawn);
      return drawn;
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: REMEMBERED,
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
  });
  const src = useBlobAddress(data?.small);
  return { src, problem: error || isSpared ? ("failed" as const) : undefined };
}

const inline = (through: string): string => fetchableAddress(`${through}&inline=1`);

/** Offers what was drawn, where the caller may write the file; the next one to look at it need not draw it then. */
function offer(queries: QueryClient, file: FileDetails, { small, large }: Drawn): void {
  if (!rightsNow(queries).may("mount_upload")) return;
  const send = async () => {
    await put(file, "320", small);
    if (large) await put(file, "1280", large);
  };
  // Whoever looks has their picture either way: a refusal says that it is there already, or that the file has changed.
  send().catch(() => undefined);
}

async function put({ path, etag }: FileDetails, w: (typeof thumbWidths)[number], body: Blob): Promise<void> {
  if (!etag || body.size > MAX_OFFERED_THUMB) return;
  const carried = authorizationOf(credential.state.get());
  const { method, path: endpoint } = fsBytes.offerThumb;
  await fetch(apiBase() + address(endpoint, { query: { path, w, v: etag } }), {
    method,
    headers: { "content-type": body.type, ...(carried && { authorization: carried }) },
    body,
  });
}
