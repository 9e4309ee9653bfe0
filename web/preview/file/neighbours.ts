import type { Previewed } from "#contract/shown-as";

interface Neighbour {
  readonly address: string;
  readonly mimetype: string;
}

/** The folder that a file lies in, for viewers that use what lies beside it: subtitles, the next piece of music, parts of a film. */
export interface Neighbours {
  readonly files: readonly Pick<Previewed, "filename" | "typeName" | "size">[];
  /** Where a file of the folder is fetched without a credential, by its path below it; undefined when there is none. */
  find(path: string): Promise<Neighbour | undefined>;
  /** Goes on to another file of the folder, and plays it at once. */
  show(filename: string, plays: boolean): void;
  /** Whether this file was gone on to in order to play. */
  readonly plays: boolean;
}
