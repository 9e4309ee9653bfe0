import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { createFileAddresses, type FileAddresses } from "../../vfs/addresses.ts";
import type { FoundFile } from "../../vfs/finding.ts";

/** Makes the function that gives the addresses of a file. */
export function createAddresses({ vfs: { grants, links }, transfers, clock }: House) {
  const { both } = createFileAddresses({ transfers, grants, links, clock });
  return (found: FoundFile, caller: Caller, origin: string): Promise<FileAddresses> => both(found, { caller, origin });
}
