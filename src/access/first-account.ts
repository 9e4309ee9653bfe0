import { randomToken } from "../lib/secret.ts";
import { accountPasswords } from "./passwords.ts";

/** The account that a first start makes. */
export interface FirstAccount {
  readonly username: string;
  readonly password: string;
  /** Whether the server chose the password, so that the terminal is to print it. */
  readonly isGenerated: boolean;
  /** On its way: it takes as long as all else that a first start does. */
  readonly hash: Promise<string>;
}

/** Chooses a password unless one is given, and begins to hash it. */
export function beginAccount(username: string, given?: string): FirstAccount {
  const password = given ?? randomToken(12);
  return { username, password, isGenerated: given === undefined, hash: accountPasswords().hash(password) };
}
