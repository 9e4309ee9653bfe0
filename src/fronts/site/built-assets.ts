import { join } from "node:path";
import { type Assets, readAssets } from "./assets.ts";

/** The pages as they were last built. In the executable another module is in the place of this one: there they come from inside (build.ts). */
export const builtAssets = (): Promise<Assets> => readAssets(join(import.meta.dir, "../../../dist/web"));
