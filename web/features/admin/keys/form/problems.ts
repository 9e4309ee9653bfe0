import { basePathOf, keyProblem } from "#contract/key-rules";
import { fromLocalInput } from "../../../../lib/time.ts";
import { problemsOf } from "../../../../ui/form/fields.ts";
import type { Problem, Problems, ResourceFields } from "../../resource/form-fields.tsx";
import { type KeyValues, seesTree } from "./form-values.ts";

/** What the fields need of the form. */
export type FieldsProps = ResourceFields<KeyValues>;

/** What the browser can tell is wrong before it asks the server (SPEC section 5). `before` is the expiry that an edited key has. */
export function keyProblems(values: KeyValues, before?: string): Problems<KeyValues> {
  return problemsOf<Problems<KeyValues>>({
    name: values.name.trim() === "" && "admin.keys.problem.name",
    key: values.own && ownKeyProblem(values.key.trim()),
    expiry: values.expires === "custom" && values.expiry !== before && expiryProblem(values.expiry),
    permissions: values.permissions === 0 && "admin.keys.problem.permissions",
    // What is not shown cannot be put right.
    basePath: seesTree(values) && basePathOf(values.basePath.trim()) === undefined && "admin.keys.problem.basePath",
  });
}

const keyWords = {
  "key.characters": "admin.keys.problem.keyCharacters",
  "key.length": "admin.keys.problem.keyLength",
} as const;

function ownKeyProblem(key: string): Problem | false {
  if (key === "") return "admin.keys.problem.key";
  const problem = keyProblem(key);
  return problem !== undefined && keyWords[problem];
}

function expiryProblem(typed: string): Problem | false {
  const instant = fromLocalInput(typed);
  if (instant === null) return "admin.keys.problem.expiry";
  if (instant === undefined) return "admin.keys.problem.expiryInvalid";
  return Date.parse(instant) <= Date.now() && "admin.keys.problem.expiryPast";
}
