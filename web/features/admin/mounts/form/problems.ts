import { MAX_CACHE_TTL, MAX_SIGN_EXPIRES, MAX_SORT_ORDER } from "#contract/limits";
import { mountPathProblem } from "#contract/paths";
import type { WordKey } from "../../../../i18n/i18n.ts";
import { problemsOf } from "../../../../ui/form/fields.ts";
import type { FormFields } from "../../../../ui/form/use-form.ts";
import { type MountValues, pathOf } from "./form-values.ts";

/** The words for what is wrong at a field; turned into text where they are shown, in the language of that moment. */
type MountProblem = Extract<WordKey, `mount.problem.${string}`>;
type MountProblems = { readonly [Field in keyof MountValues]?: MountProblem };

/** What the fields need of the form. */
export type FieldsProps = FormFields<MountValues, MountProblems>;

/** What the browser can tell is wrong before it asks the server (SPEC section 5). */
export function mountProblems(values: MountValues): MountProblems {
  return problemsOf<MountProblems>({
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

function pathProblem(path: string): MountProblem | false {
  if (path === "" || path === "/") return "mount.problem.pathMissing";
  const problem = mountPathProblem(path);
  return problem !== undefined && pathWords[problem];
}

/** Whether a text says how long signatures hold; an empty one leaves it to the settings. */
const isExpiry = (text: string): boolean => text.trim() === "" || isWhole(text, 0, MAX_SIGN_EXPIRES);

const isWhole = (text: string, least: number, most: number): boolean =>
  /^-?\d{1,16}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
