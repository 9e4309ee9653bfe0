import type { Config } from "../config.ts";
import { resetAccount } from "../maintenance.ts";
import { credentialLines, expectedAddress } from "../serve.ts";
import { requireDatabase } from "./require-database.ts";

/** Sets a new password of the administrator and prints it with a sign-in link. Throws a sentence for the operator. */
export async function resetAdmin(config: Config, print: (text: string) => void): Promise<void> {
  if (config.databaseUrl === undefined) requireDatabase(config);
  const credentials = await resetAccount(config);
  print(`${credentialLines(expectedAddress(config), credentials).join("\n")}\n`);
}
