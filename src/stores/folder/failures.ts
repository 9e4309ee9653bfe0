import { Failure } from "#contract/failures";
import { isMissing } from "../disk/paths.ts";
import type { AroundVerb } from "../verbs.ts";

/** A disk or a server that is gone: its folder is there, and what is in it cannot be reached. */
const AWAY = ["EIO", "ENODEV", "ENXIO", "ENOTCONN", "ESTALE", "EHOSTDOWN", "EHOSTUNREACH", "ETIMEDOUT"];
/** Names that this file system cannot have, as `a:b` on FAT, and links in place of a folder. */
const NO_NAME = ["EINVAL", "EILSEQ", "ENAMETOOLONG", "ELOOP"];

/** Does the work of a verb. What others did to the folder meanwhile, or its file system, has a failure of its own and is no fault of ours. */
export const withFailures: AroundVerb = async (work, kind) => {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (AWAY.includes(code)) throw new Failure("storage.unreachable");
    if (NO_NAME.includes(code)) throw new Failure("path.invalid");
    if (isMissing(error) && kind !== "read") throw new Failure("path.conflict");
    throw error;
  }
};
