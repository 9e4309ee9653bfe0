import { archiveFormat } from "#contract/archives";
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
  /** Visitors have no jobs, and no trash of their own. */
  readonly signedIn: boolean;
  readonly clip: Clip | undefined;
  /** What it takes to undo the last step; undefined where there is none. */
  readonly undoable: Permission | undefined;
}

/** Reports whether something can be written into the folder that is shown. */
export const isOpen = ({ known, virtual }: CommandContext): boolean => known && !virtual;

/** Reports whether something can be done with each of the chosen. */
export const someMovable = ({ chosen }: CommandContext): boolean => chosen.length > 0 && !chosen.some(isFixed);

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
