import { VISITOR_GRANT_LIFE } from "#contract/limits";
import { isLocal } from "#contract/providers";
import type { TreeCaller } from "../access/principal.ts";
import type { Clock } from "../lib/clock.ts";
import { disposition, servedType } from "../lib/mime.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { FoundFile } from "./entry.ts";
import type { TreeGrants } from "./grants.ts";
import type { Links } from "./links.ts";

interface AddressesDeps {
  readonly transfers: Pick<Transfers, "storage">;
  readonly grants: TreeGrants;
  readonly links: Links;
  readonly clock: Clock;
}

/** Whether a file is to be shown or to be kept. */
export type Kind = "inline" | "attachment";

/** Whose address it is, and where this server is reached. */
interface AddressOptions {
  readonly caller: TreeCaller;
  /** Scheme, host and base path. */
  readonly base: string;
}

/** One address of a file. */
export interface LinkRequest extends AddressOptions {
  readonly kind: Kind;
  /** How long it holds; what the storage's configuration says unless given. */
  readonly seconds?: number | undefined;
}

/** An address of a file, and how long it holds. */
export interface FileLink {
  readonly url: string;
  readonly seconds: number;
}

/** Addresses of a file that need no credential, and the grant that lets it be fetched through this server. */
interface BothAddresses {
  readonly preview_url: string;
  readonly download_url: string;
  readonly grant: string;
}

const GRANT_SECONDS = VISITOR_GRANT_LIFE / 1000;

/** Addresses of files in the tree, for whoever they are handed to. */
export function createFileAddresses({ transfers, grants, links, clock }: AddressesDeps) {
  const granted = async ({ entry }: FoundFile, { caller, base, kind, seconds }: LinkRequest): Promise<string> => {
    const { grant } = await grants.make(caller, [entry.path], { seconds });
    const query = new URLSearchParams({ path: entry.path, grant, ...(kind === "inline" && { inline: "1" }) });
    return `${base}/api/fs/download?${query}`;
  };

  /** At its storage, or through this server what only this server reads. */
  const link = async (found: FoundFile, request: LinkRequest): Promise<FileLink> => {
    const { location, head, entry } = found;
    const { config, store } = await transfers.storage(location.mount.storage);
    const seconds = request.seconds ?? config.signature_expires_in;
    // An address of the storage would show a key, and outlive the link.
    if (isLocal(config) || request.caller.kind === "link")
      return { url: await granted(found, { ...request, seconds }), seconds };
    const answer = { disposition: disposition(request.kind, entry.name), type: servedType(head.type) };
    return { url: store.presign({ method: "GET", key: head.key, expires: seconds, base: "", answer }), seconds };
  };

  /** For as long as the storage's addresses hold, six hours at most; a grant for six hours. */
  const usual = async (found: FoundFile, request: Omit<LinkRequest, "seconds">): Promise<string> => {
    const { config } = await transfers.storage(found.location.mount.storage);
    const seconds =
      isLocal(config) || request.caller.kind === "link"
        ? GRANT_SECONDS
        : Math.min(config.signature_expires_in, GRANT_SECONDS);
    return (await link(found, { ...request, seconds })).url;
  };

  return {
    /** An address that never is a public one of this server, and the seconds that it holds. */
    link,

    /** The addresses of a file: public ones of this server where its mount has them, else as `link`, for six hours at most. */
    async both(found: FoundFile, { caller, base }: AddressOptions): Promise<BothAddresses> {
      const { location, entry } = found;
      const { grant } = await grants.make(caller, [entry.path]);
      if (location.mount.web_proxy === 1) {
        const preview_url = links.url(location.mount, entry.path, { base, download: false, ts: clock() });
        return { preview_url, download_url: links.url(location.mount, entry.path, { base, download: true }), grant };
      }
      const [preview_url, download_url] = [
        await usual(found, { caller, base, kind: "inline" }),
        await usual(found, { caller, base, kind: "attachment" }),
      ];
      return { preview_url, download_url, grant };
    },
  };
}

export type FileAddresses = ReturnType<typeof createFileAddresses>;
