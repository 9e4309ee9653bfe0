import type { ReactNode } from "react";
import { refusalText } from "../../../api/refusals.ts";
import { FormSheet } from "../../../ui/form/form-sheet.tsx";
import { type FormFields, type FormParts, useForm } from "../../../ui/form/use-form.ts";

interface ResourceFormProps<Values extends object, Change extends object, Problems extends object>
  extends Omit<FormParts<Values, Change, Problems>, "onUnchanged"> {
  readonly title: string;
  /** Closes the form; `save` decides what follows a change. */
  readonly onClose: () => void;
  /** What is said of a refusal that belongs to no field; the server's sentence unless given. */
  readonly textOf?: (refused: unknown) => string | undefined;
  /** The fields. */
  readonly children: (fields: FormFields<Values, Problems>) => ReactNode;
}

/** The form for a new resource or for changes to one, at the side of the list. */
export function ResourceForm<Values extends object, Change extends object, Problems extends object>({
  title,
  onClose,
  textOf = refusalText,
  children,
  ...parts
}: ResourceFormProps<Values, Change, Problems>) {
  const state = useForm({ ...parts, onUnchanged: onClose });
  return (
    <FormSheet title={title} state={state} refusal={textOf(state.refused)} onClose={onClose}>
      {children(state)}
    </FormSheet>
  );
}
