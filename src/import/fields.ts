import * as z from "#contract/schemas";

/** Fields of rows that other programs have written. */

/** Null for what is empty or missing. */
export const optional = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.transform((value: unknown): unknown => (value === "" ? null : (value ?? null))),
    z.nullable(schema) as z.ZodMiniType<z.output<S> | null, unknown>,
  );

/** SQLite has numbers for switches. */
export const flag = z.pipe(
  z.transform((value: unknown) => value === 1 || value === true || value === "1" || value === "true"),
  z.boolean(),
);

export const whole = z.pipe(
  z.transform((value: unknown) => (typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value)),
  z.int(),
);

export const count = whole.check(z.minimum(0));

/** An instant in epoch milliseconds, of ISO 8601 or of SQLite, which means UTC. */
export const instant = z.pipe(
  z.string().check(z.maxLength(40)),
  z.transform((text, context) => {
    const iso = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text) ? `${text.replace(" ", "T")}Z` : text;
    const at = Date.parse(iso);
    if (!Number.isNaN(at)) return at;
    context.issues.push({ code: "custom", input: text, message: "no instant" });
    return z.NEVER;
  }),
);
