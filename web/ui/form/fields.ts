/** Reports whether something in a form would be lost with it, right or wrong. */
export function differs<Values extends object>(values: Values, before: Values): boolean {
  const fields = Object.keys(before) as (keyof Values)[];
  return fields.some((field) => values[field] !== before[field]);
}

/** Returns the fields that have another value than before, so that what somebody else changed meanwhile stays. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const fields = Object.keys(before) as (keyof Fields)[];
  const changed = fields.filter((field) => after[field] !== before[field]);
  return Object.fromEntries(changed.map((field) => [field, after[field]])) as Partial<Fields>;
}

/** Returns the problems among the results of checks, of which each is a problem or false. */
export const problemsOf = <Problems extends object>(
  checks: {
    readonly [Field in keyof Problems]: Problems[Field] | false;
  },
): Problems => Object.fromEntries(Object.entries(checks).filter(([, problem]) => problem)) as Problems;
