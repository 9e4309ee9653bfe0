import { useState } from "react";
import { fetchableAddress } from "../../api/share-addresses.ts";

/** Reports whether this page must not load an address: an http one from an https page. */
const isBlocked = (address: string): boolean =>
  window.location.protocol === "https:" && new URL(address).protocol === "http:";

const absolute = (address: string | undefined): string | undefined => address && fetchableAddress(address);

/** Addresses of a file, as the server answers them. */
interface Addresses {
  readonly previewUrl?: string | undefined;
  readonly downloadUrl: string;
  readonly proxy_preview_url?: string | undefined;
  readonly proxy_download_url?: string | undefined;
}

/** Where this page gets a file: at its storage, or through the server when this browser cannot reach that. */
export function useFileAddresses({ previewUrl, downloadUrl, proxy_preview_url, proxy_download_url }: Addresses) {
  // Kept with the address that they are about: the next file, or the same after a change, has others.
  const [failed, setFailed] = useState<string>();
  const [vain, setVain] = useState<string>();
  const direct = absolute(previewUrl);
  const through = absolute(proxy_preview_url) ?? direct;
  const around = direct !== undefined && (failed === direct || isBlocked(direct));
  const download = fetchableAddress(downloadUrl);
  // What does not show either way is no fault of the storage's.
  const downloadsAround = (around && vain !== direct) || isBlocked(download);
  return {
    /** For media that the browser loads by itself. */
    shown: around ? through : direct,
    /** For files read by fetch, which a storage may forbid to pages. */
    read: through,
    download: (downloadsAround && absolute(proxy_download_url)) || download,
    /** For what is kept of it without a download of all: the server counts downloads by this address. */
    counted: absolute(proxy_download_url),
    /** Call when the shown address did not load; returns whether there is another one, which is now used. */
    onFail(): boolean {
      const other = !around && direct !== through;
      if (other) setFailed(direct);
      else setVain(direct);
      return other;
    },
  };
}

export type FileAddresses = ReturnType<typeof useFileAddresses>;
