import { archiveFormat } from "#contract/archive/formats";
import type { Permission } from "#contract/permissions";
import type { Clip } from "../model/clipboard.ts";
import { type Entry, isFixed } from "../model/entry.ts";
import type { ViewName } from "../model/preferences.ts";

/** What decides which commands are there. */
export interface CommandContext {
  readonly folder: string;
  /** The highest folder that may be seen. */
  readonly base: string;
  /** The folder only leads to mounts: nothing can be put into it. */
  readonly virtual: boolean;
  /** The folder is there. */
  readonly known: boolean;
  readonly chosen: readonly Entry[];
  readonly count: number;
  readonly touch: boolean;
  readonly view: ViewName;
  readonly may: (right: Permission) => boolean;
  /** Files may be taken along. */
  readonly mayDownload: boolean;
  /** The folder is in the tree of a link, of which nothing belongs to whoever looks at it. */
  readonly byLink: boolean;
  /** Visitors have no jobs, and no trash of their own. */
  readonly signedIn: boolean;
  readonly clip: Clip | undefined;
  /** What it takes to undo the last step; undefined where there is none. */
  readonly undoable: Permission | undefined;
}

/** Reports whether something can be written into the folder that is shown. */
export const isOpen = ({ known, virtual }: Pick<CommandContext, "known" | "virtual">): boolean => known && !virtual;

/** Reports whether something can be done with each of the chosen. */
export const someMovable = ({ chosen }: CommandContext): boolean => chosen.length > 0 && !chosen.some(isFixed);

/** Reports whether what is chosen may be taken along. */
export const mayTake = ({ chosen, may, mayDownload }: CommandContext): boolean =>
  chosen.length > 0 && mayDownload && may("mount_view") && !chosen.some(({ isVirtual }) => isVirtual);

/** Reports whether a link to what is chosen can be made. A visitor can share one file. */
export const mayShare = ({ chosen, may, byLink, signedIn }: CommandContext): boolean =>
  chosen.length > 0 &&
  !byLink &&
  may("mount_view") &&
  !chosen.some(({ isVirtual }) => isVirtual) &&
  (signedIn || (chosen.length === 1 && chosen[0]?.isDirectory === false));

/** The one that is chosen; undefined for none and several. */
export const only = ({ chosen }: CommandContext): Entry | undefined => (chosen.length === 1 ? chosen[0] : undefined);

/** Reports whether an archive of this name can be unpacked beside itself. */
export const mayUnpack = ({ may, signedIn }: CommandContext, name: string): boolean =>
  archiveFormat(name) !== undefined && signedIn && may("mount_view") && may("mount_upload");

/** The one file that is chosen. */
export function onlyFile(context: CommandContext): Entry | undefined {
  const entry = only(context);
  return entry && !entry.isDirectory ? entry : undefined;
}
