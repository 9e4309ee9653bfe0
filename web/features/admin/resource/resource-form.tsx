import type { ReactNode } from "react";
import { refusalText } from "../../../api/refusals.ts";
import { changedFields } from "../../../ui/form/fields.ts";
import { FormSheet } from "../../../ui/form/form-sheet.tsx";
import { type FormParts, useForm } from "../../../ui/form/use-form.ts";
import type { Problems, ResourceFields } from "./form-fields.tsx";

interface SheetProps<Values extends object, Change extends object>
  extends Omit<FormParts<Values, Change, Problems<Values>>, "onUnchanged"> {
  readonly title: string;
  /** Closes the form; `create` and `update` decide what follows a change. */
  readonly onClose: () => void;
  /** What is said of a refusal that belongs to no field; the server's sentence unless given. */
  readonly textOf?: (refused: unknown) => string | undefined;
  /** The fields. */
  readonly children: (fields: ResourceFields<Values>) => ReactNode;
}

interface ResourceFormProps<Item, Values extends object, Request extends object>
  extends Omit<SheetProps<Values, Request>, "before" | "changeOf" | "save"> {
  /** The resource that is changed; a new one is made without. */
  readonly item: Item | undefined;
  /** The values of a new one before anything was filled in. */
  readonly empty: Values;
  readonly valuesOf: (item: Item) => Values;
  /** What the server is asked to create. */
  readonly requestOf: (values: Values) => Request;
  readonly create: (request: Request) => Promise<unknown>;
  readonly update: (item: Item, change: Partial<Request>) => Promise<unknown>;
}

/** The form for a new resource or for changes to one, at the side of the list. */
export function ResourceForm<Item, Values extends object, Request extends object>({
  item,
  empty,
  valuesOf,
  requestOf,
  create,
  update,
  ...sheet
}: ResourceFormProps<Item, Values, Request>) {
  if (!item) return <Sheet {...sheet} before={empty} changeOf={requestOf} save={create} />;
  const before = valuesOf(item);
  return (
    <Sheet
      {...sheet}
      before={before}
      changeOf={(values) => changedFields(requestOf(before), requestOf(values))}
      save={(change) => update(item, change)}
    />
  );
}

function Sheet<Values extends object, Change extends object>({
  title,
  onClose,
  textOf = refusalText,
  children,
  ...form
}: SheetProps<Values, Change>) {
  const state = useForm<Values, Change, Problems<Values>>({ ...form, onUnchanged: onClose });
  return (
    <FormSheet title={title} state={state} refusal={textOf(state.refused)} onClose={onClose}>
      {children(state)}
    </FormSheet>
  );
}
