import { MAX_CACHE_TTL, MAX_SIGN_EXPIRES, MAX_SORT_ORDER } from "#contract/limits";
import { mountPathProblem } from "#contract/paths";
import { problemsOf } from "../../../../ui/form/fields.ts";
import type { Problem, Problems, ResourceFields } from "../../resource/form-fields.tsx";
import { type MountValues, pathOf } from "./form-values.ts";

/** What the fields need of the form. */
export type FieldsProps = ResourceFields<MountValues>;

/** What the browser can tell is wrong before it asks the server (SPEC section 5). */
export function mountProblems(values: MountValues): Problems<MountValues> {
  return problemsOf<Problems<MountValues>>({
    storage: values.storage === "" && "mount.problem.storage",
    name: values.name.trim() === "" && "mount.problem.name",
    path: pathProblem(pathOf(values)),
    cacheTtl: !isWhole(values.cacheTtl, 0, MAX_CACHE_TTL) && "mount.problem.cacheTtl",
    sortOrder: !isWhole(values.sortOrder, -MAX_SORT_ORDER, MAX_SORT_ORDER) && "mount.problem.sortOrder",
    // What is not shown cannot be put right.
    signExpires: values.proxy && values.sign && !isExpiry(values.signExpires) && "mount.problem.signExpires",
  });
}

const pathWords = {
  "mount.pathInvalid": "mount.problem.pathInvalid",
  "mount.pathReserved": "mount.problem.pathReserved",
} as const;

function pathProblem(path: string): Problem | false {
  if (path === "" || path === "/") return "mount.problem.pathMissing";
  const problem = mountPathProblem(path);
  return problem !== undefined && pathWords[problem];
}

/** Whether a text says how long signatures hold; an empty one leaves it to the settings. */
const isExpiry = (text: string): boolean => text.trim() === "" || isWhole(text, 0, MAX_SIGN_EXPIRES);

const isWhole = (text: string, least: number, most: number): boolean =>
  /^-?\d{1,16}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
