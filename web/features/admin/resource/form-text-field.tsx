import type { ComponentProps } from "react";
import { t, type WordKey } from "../../../i18n/i18n.ts";
import { TextField } from "../../../ui/field.tsx";
import type { FormFields } from "../../../ui/form/use-form.ts";

type Problem = Extract<
  WordKey,
  `${"admin.keys" | "mount" | "storage"}.problem.${string}` | "share.problem.folderInvalid"
>;

interface FormTextFieldProps<Name extends string, Values extends Readonly<Record<Name, string>>>
  extends Omit<ComponentProps<typeof TextField>, "name" | "form"> {
  readonly form: FormFields<Values, { readonly [Field in Name]?: Problem }>;
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
