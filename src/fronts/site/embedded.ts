import type { Assets } from "./assets.ts";

/** The site inside this executable: none when run from source. build.ts puts the real one in this module's place. */
export const embedded: Assets | undefined = undefined;
