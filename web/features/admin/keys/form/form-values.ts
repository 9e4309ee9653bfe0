import { type KeyRecord, NEVER, type NewKey } from "#contract/keys";
import { bitsOf, type Permission, permissionsOf } from "#contract/permissions";
import { fromLocalInput, toLocalInput } from "../../../../lib/time.ts";

const DAY = 86_400_000;

/** The choices for when a key expires; `custom` is a time of one's own. */
export const expiryChoices = ["1d", "7d", "30d", "never", "custom"] as const;
type ExpiryChoice = (typeof expiryChoices)[number];

const days: Readonly<Record<Exclude<ExpiryChoice, "never" | "custom">, number>> = { "1d": 1, "7d": 7, "30d": 30 };

/** A key as its form has it. */
export interface KeyValues {
  readonly name: string;
  /** Whether the key is chosen, and the one that was typed. */
  readonly own: boolean;
  readonly key: string;
  readonly expires: ExpiryChoice;
  /** The value of a datetime-local field, in local time (`2026-11-22T10:15`). */
  readonly expiry: string;
  /** Bits. */
  readonly permissions: number;
  readonly basePath: string;
  readonly guest: boolean;
}

/** A new key before anything was filled in. */
export const emptyKey: KeyValues = {
  name: "",
  own: false,
  key: "",
  expires: "30d",
  expiry: "",
  permissions: bitsOf(["text", "file_share"]),
  basePath: "/",
  guest: false,
};

/** A key that is there. */
export const keyValues = (key: KeyRecord): KeyValues => ({
  name: key.name,
  own: false,
  key: "",
  expires: key.expires_at === NEVER ? "never" : "custom",
  expiry: key.expires_at === NEVER ? "" : toLocalInput(key.expires_at),
  permissions: key.permissions,
  basePath: key.basic_path,
  guest: key.is_guest === 1,
});

const shares: readonly Permission[] = ["text", "file_share"];

/** Reports whether the key reaches the tree of mounts at all, which is what its base path is about. */
export const seesTree = ({ permissions }: Pick<KeyValues, "permissions">): boolean =>
  permissionsOf(permissions).some((right) => !shares.includes(right));

/** When the key expires, as the server wants it; null is never. */
function expiryOf({ expires, expiry }: KeyValues, now: number): string | null {
  if (expires === "never") return null;
  if (expires === "custom") return fromLocalInput(expiry) ?? null;
  return new Date(now + days[expires] * DAY).toISOString();
}

/** The key that the form describes. */
export const newKey = (values: KeyValues): NewKey => ({
  name: values.name.trim(),
  permissions: values.permissions,
  role: "GENERAL",
  custom_key: values.own ? values.key.trim() : null,
  basic_path: values.basePath.trim(),
  is_guest: values.guest,
  expires_at: expiryOf(values, Date.now()),
});
