import { join } from "node:path";
import { type Assets, readAssets } from "./assets.ts";

/** The pages that `bun build.ts --web` made. In the executable build.ts puts a module with those inside it in the place of this one. */
export const builtAssets = (): Promise<Assets> => readAssets(join(import.meta.dir, "../../../dist/web"));
