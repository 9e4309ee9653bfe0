import * as z from "zod/mini";
import { Failure } from "#contract/failures";
import { readForm as readAnyForm } from "../form.ts";

/** Fields of a form by name, as they were sent. */
type Fields = Readonly<Record<string, string>>;

/** The schema of a form's fields; fields that it does not name are ignored. */
type FieldsSchema = z.ZodMiniObject;

/** Reads a form with a file and the fields that a schema names; `values` throws 400 body.invalid. */
export async function readForm<Schema extends FieldsSchema>(request: Request, schema: Schema) {
  const known = (name: string) => (Object.hasOwn(schema.shape, name) ? name : undefined);
  const { fields, ...form } = await readAnyForm(request, { known });
  /** The known fields that have been read so far, also those that come after the file. */
  const values = () => valuesOf(schema, Object.fromEntries(fields));
  return { ...form, values };
}

/** 400 body.invalid with the name of the first field that is wrong. */
function valuesOf<Schema extends FieldsSchema>(schema: Schema, fields: Fields): z.output<Schema> {
  const read = z.safeParse(schema, fields);
  if (!read.success) throw new Failure("body.invalid", { field: String(read.error.issues[0]?.path[0] ?? "") });
  return read.data;
}
