/** Who sends a request. */
export const roles = ["anonymous", "key", "scoped key", "admin", "ending admin"] as const;
export type Role = (typeof roles)[number];

/** What a generator must know of a house to make requests that are nearly right. */
export interface Known {
  readonly host: string;
  /** Headers that prove a role. */
  readonly credentials: Readonly<Record<Role, readonly (readonly [name: string, value: string])[]>>;
  /**
   * What has a meaning as the value of a field or parameter: by `METHOD /path name`, else `/path name`, else `name`. The field
   * `(any name)` names the keys of a record.
   */
  readonly words: Readonly<Record<string, readonly string[]>>;
  /** Addresses that are signed: path and query. */
  readonly signed: readonly string[];
  /** The administrator's passwords: the present one is one of them. */
  readonly passwords: readonly string[];
}
