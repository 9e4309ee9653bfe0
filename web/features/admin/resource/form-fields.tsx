import type { ComponentProps } from "react";
import { t, type WordKey } from "../../../i18n/i18n.ts";
import { Checkbox, TextField } from "../../../ui/form/field.tsx";
import type { FormFields } from "../../../ui/form/use-form.ts";
import type { ResourceName } from "./add-button.tsx";

/** The sentence for a problem of a field; translated where it is shown, in the language of that moment. */
export type Problem = Extract<WordKey, `${ResourceName}.problem.${string}` | "share.problem.folderInvalid">;

/** What is wrong at the fields of a form. */
export type Problems<Values> = { readonly [Field in keyof Values]?: Problem };

/** The state of the form of a resource, as its fields need it. */
export type ResourceFields<Values> = FormFields<Values, Problems<Values>>;

interface FormTextFieldProps<Name extends string, Values extends Readonly<Record<Name, string>>>
  extends Omit<ComponentProps<typeof TextField>, "name" | "form"> {
  readonly form: ResourceFields<Values>;
  /** The field of the form. */
  readonly name: Name;
  /** Holds no prose but a path, an address or a key. */
  readonly exact?: boolean;
}

const exactly = { mono: true, autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;

/** One line of text in a form: its value, what is wrong with it, and what becomes of what is typed. */
export function FormTextField<Name extends string, Values extends Readonly<Record<Name, string>>>({
  form: { values, fill, problems },
  name,
  exact = false,
  ...rest
}: FormTextFieldProps<Name, Values>) {
  const problem: Problem | undefined = problems[name];
  return (
    <TextField
      autoComplete="off"
      value={values[name]}
      error={problem && t(problem)}
      onChange={({ target }) => fill({ [name]: target.value } as unknown as Partial<Values>)}
      {...(exact && exactly)}
      {...rest}
    />
  );
}

interface FormCheckboxProps<Name extends string, Values extends Readonly<Record<Name, boolean>>>
  extends Omit<ComponentProps<typeof Checkbox>, "name" | "form"> {
  readonly form: ResourceFields<Values>;
  /** The field of the form. */
  readonly name: Name;
}

/** A box to tick in a form. */
export const FormCheckbox = <Name extends string, Values extends Readonly<Record<Name, boolean>>>({
  form: { values, fill, problems },
  name,
  ...rest
}: FormCheckboxProps<Name, Values>) => (
  <Checkbox
    checked={values[name]}
    aria-invalid={problems[name] ? true : undefined}
    onChange={({ target }) => fill({ [name]: target.checked } as unknown as Partial<Values>)}
    {...rest}
  />
);
