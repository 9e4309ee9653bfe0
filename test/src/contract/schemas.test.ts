import { expect, test } from "bun:test";
import * as zod from "zod/mini";
import * as z from "#contract/schemas";

/** The fields of an object, and whether anybody has looked at them. */
function watched() {
  const seen = { looks: 0 };
  const fields = {
    get name() {
      seen.looks += 1;
      return z.string().check(z.minLength(2));
    },
  };
  return { seen, fields };
}

test("a schema is made when somebody looks at it, and once", () => {
  const { seen, fields } = watched();
  const person = z.object(fields);
  const people = z.object({ people: z.array(person).check(z.maxLength(2)), first: z.optional(person) });
  const wider = z.extend(z.partial(person), { age: z.int() });
  expect(seen.looks).toBe(0);
  expect(z.safeParse(people, { people: [{ name: "Ada" }] })).toMatchObject({ success: true });
  expect(z.safeParse(people, { people: [{ name: "A" }] })).toMatchObject({ success: false });
  expect(z.safeParse(people, { people: [{ name: "Ada" }, { name: "Eva" }, { name: "Ida" }] }).success).toBe(false);
  expect(z.safeParse(wider, { age: 36 })).toMatchObject({ success: true });
  expect(seen.looks).toBe(1);
});

test("whoever looks finds what zod makes", () => {
  const [ours, zods] = [z, zod].map(({ object, string, optional, enum: oneOf, union, literal, maxLength, trim }) =>
    object({
      name: string().check(trim(), maxLength(20)),
      kind: optional(oneOf(["file", "folder"])),
      size: union([literal(0), string()]),
    }),
  );
  expect(ours).toBeInstanceOf(zod.ZodMiniObject);
  expect(Object.keys(ours?.shape ?? {})).toEqual(["name", "kind", "size"]);
  expect(zod.toJSONSchema(ours as zod.ZodMiniType)).toEqual(zod.toJSONSchema(zods as zod.ZodMiniType));
  const said = { name: " Ada ", kind: "file", size: 0, other: true };
  expect(z.safeParse(ours as zod.ZodMiniType, said)).toEqual(zod.safeParse(zods as zod.ZodMiniType, said));
});
