import { useRef } from "react";
import { fsBytes } from "#contract/fs/bytes";
import type { Call } from "../../../api/call.ts";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { Entry } from "../model/entry.ts";

/** How long an address holds, in seconds: whatever a file is dropped on may read it. */
const HOLDS = 300;
/** It is asked for anew when it holds for less, in milliseconds: a drag takes a while. */
const SPARE = 60_000;

/** An address of a file, as far as it is known. */
interface Asked {
  readonly version: string;
  readonly address: string | undefined;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Browsers that download what is dropped outside of them; no other needs an address. */
const takesFilesOut = (): boolean => "webkitRequestFileSystem" in window;

const versionOf = ({ path, etag = "" }: Entry): string => `${path} ${etag}`;

/** The colon divides what a drag says of a file; no system has slashes in names. */
const plainName = (name: string): string => shownName(name).replace(/[:/\\]/g, "_");

/**
 * Lets one file be dragged out of the browser, onto a desktop. What a drag carries must be there when it begins, so the address is asked for
 * when an entry is pressed: of that entry alone, and without a credential in it. A drag that is quicker carries none.
 */
export function useDragOut(call: Call, isAllowed: boolean) {
  const asked = useRef<Asked>(undefined);
  return {
    prepare(entry: Entry): void {
      const version = versionOf(entry);
      const { version: known, until = 0 } = asked.current ?? {};
      if (!isAllowed || entry.isDirectory || !takesFilesOut() || (known === version && until > Date.now() + SPARE))
        return;
      const answered = (address: string | undefined, held: number) => {
        if (asked.current?.version === version) asked.current = { version, address, until: Date.now() + held };
      };
      asked.current = { version, address: undefined, until: Number.POSITIVE_INFINITY };
      const query = { path: entry.path, expires_in: HOLDS, force_download: "1" };
      call(fsBytes.fileLink, { query }).then(
        ({ data: { presignedUrl, expiresIn } }) => answered(presignedUrl, expiresIn * 1000),
        // It is dragged within the explorer all the same, and asked for at the next press.
        () => answered(undefined, 0),
      );
    },

    /** What the drag of these entries tells the desktop; undefined where there is nothing to tell. */
    downloadOf([entry, ...others]: readonly Entry[]): string | undefined {
      const { version, address, until = 0 } = asked.current ?? {};
      if (!entry || others.length > 0 || address === undefined || version !== versionOf(entry)) return undefined;
      if (until <= Date.now()) return undefined;
      return `application/octet-stream:${plainName(entry.name)}:${fetchableAddress(address)}`;
    },
  };
}
