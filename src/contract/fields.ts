import {
  MAX_BATCH,
  MAX_PASSWORD_CHARACTERS,
  MAX_PATH_CHARACTERS,
  MAX_REMARK_CHARACTERS,
  MAX_USERNAME_CHARACTERS,
  MAX_VIEWS,
} from "./limits.ts";
import * as z from "./schemas.ts";

/** Fields that several families of the contract share. */

/** An empty text counts as not given, as forms send it. */
export const emptyAsMissing = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.transform((value: unknown) => (value === "" ? undefined : value)),
    z.optional(schema),
  );

/** What something is called, in one form of Unicode, so that two names that look alike are alike. */
export const nameField = (most: number) =>
  z.string().check(z.trim(), z.normalize("NFC"), z.minLength(1), z.maxLength(most), z.refine(isName));

/** Longer than a path of the tree may be, so that one that is too long is refused as a path. */
export const pathField = z.string().check(z.maxLength(4 * MAX_PATH_CHARACTERS));
export const optionalSlug = emptyAsMissing(z.string());
export const remarkField = z.nullish(z.string().check(z.maxLength(MAX_REMARK_CHARACTERS)));
export const passwordField = z.string().check(z.minLength(1), z.maxLength(MAX_PASSWORD_CHARACTERS));
export const optionalPassword = emptyAsMissing(passwordField);
/** 0 or null is unlimited. */
export const maxViewsField = z.nullish(z.int().check(z.minimum(0), z.maximum(MAX_VIEWS)));
/** The last instant that has four digits of year, as ISO 8601 wants them; a zone can name later ones. */
export const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** An instant as ISO 8601 with a zone. */
export const instantField = z.iso
  .datetime({ offset: true })
  .check(z.refine((text) => Date.parse(text) <= LAST_INSTANT));
/** An instant as ISO 8601 with a zone; null is never. */
export const expiresAtField = z.nullish(
  z.pipe(
    z.transform((value: unknown) => (value === "" ? null : value)),
    z.nullable(instantField),
  ),
);
export const idsField = z.array(z.string().check(z.maxLength(64))).check(z.minLength(1), z.maxLength(MAX_BATCH));

/** A whole number in a query string, as digits and nothing else. */
export const queryNumber = (minimum: number, maximum: number) =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value)),
    z.int().check(z.minimum(minimum), z.maximum(maximum)),
  );

/** A whole number that some clients send as a text, as they had it in a form. */
export const looseNumber = (minimum: number, maximum: number) =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value)),
    z.int().check(z.minimum(minimum), z.maximum(maximum)),
  );

/** A switch in a body: true, 1 and "1" are on, as existing clients send it. */
export const looseSwitch = z.pipe(
  z.transform((value: unknown) => {
    if (value === 1 || value === "1" || value === "true") return true;
    return value === 0 || value === "0" || value === "false" ? false : value;
  }),
  z.boolean(),
);

/** A switch in a query string: `1` or `true` is on. */
export const querySwitch = z.optional(
  z.pipe(
    z.string(),
    z.transform((value) => value === "1" || value === "true"),
  ),
);

/** The answer of a call that has nothing to say but that it is done. */
export const done = z.object({ data: z.optional(z.null()) });

/**
 * Fields of a batch response beside its data: the failures, and if nothing succeeded the status, code and sentence of
 * the first failure, as in any failed call.
 */
export const batchOf = <S extends z.ZodMiniType>(failed: S) => ({
  code: z.optional(z.int()),
  error: z.optional(z.string()),
  message: z.optional(z.string()),
  success: z.optional(z.boolean()),
  failed: z.array(failed),
});

/** What ends up unseen or turns the text around it: controls, bidi and other format characters but the joiners of scripts and emoji. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
/** Letters count as blank too when nothing is drawn for them, such as the Hangul fillers. */
const seen = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Reports whether a text may be shown as a name: well-formed, not blank, no invisible characters. */
export const isName = (text: string): boolean => text.isWellFormed() && seen.test(text) && !unseen.test(text);

/** Reports whether a text may be a username: a name without outer spaces and colons, which HTTP Basic needs for itself (RFC 7617). */
export const isUsername = (text: string): boolean =>
  isName(text) && text === text.trim() && text.length <= MAX_USERNAME_CHARACTERS && !text.includes(":");

/** Roles are stored and shown only; permissions alone decide what a key may do. */
export const keyRoles = ["GENERAL", "GUEST", "ADMIN"] as const;

/** The caller's own key in a list of shares. */
export const ownKey = z.object({
  id: z.string(),
  name: z.string(),
  key: z.string(),
  basicPath: z.string(),
  permissions: z.int(),
  role: z.enum(keyRoles),
  isGuest: z.int(),
});

export type KeyRole = (typeof keyRoles)[number];
export type OwnKey = z.output<typeof ownKey>;
