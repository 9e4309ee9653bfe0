import { createContext, useContext } from "react";
import { type Call, call } from "../../api/call.ts";
import { type Events, events } from "../../api/transport/event-stream.ts";
import type { Uploads } from "../../transfer/uploads.ts";
import { addressOf } from "./model/address.ts";
import { treeUploads } from "./upload/tree-uploads.ts";

/** The tree on view, and who looks at it. */
export interface Tree {
  /** Sends calls as whoever looks at it. */
  readonly call: Call;
  /** Opens streams as whoever looks at it. */
  readonly events: Events;
  /** Returns the address of a folder's page, with a file on view if one is given. */
  readonly addressOf: (folder: string, preview?: string) => string;
  readonly uploads: Uploads;
  /** The link that led here: nothing in its tree belongs to whoever looks at it. undefined in one's own. */
  readonly link:
    | {
        readonly mayDownload: boolean;
        /** Nobody is shown where what they send goes. */
        readonly isBlind: boolean;
        /** The link leads to one file, which is on view: there is no folder to go back to. */
        readonly isSingle: boolean;
      }
    | undefined;
}

/** What the explorer is at its own address. */
const ownTree: Tree = { call, events, addressOf, uploads: treeUploads, link: undefined };

const TreeContext = createContext(ownTree);

/** Gives another tree to the views within. */
export const TreeProvider = TreeContext.Provider;

/** The tree on view. */
export const useTree = (): Tree => useContext(TreeContext);
