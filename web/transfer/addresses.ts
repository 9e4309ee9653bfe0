import { PART_URLS } from "#contract/limits";
import type { PartUrl } from "#contract/uploads";
import { failed } from "./failures.ts";

interface Source {
  /** Asks the server for addresses of these parts. */
  readonly ask: (numbers: number[]) => Promise<readonly PartUrl[]>;
  /** This part and others that need an address, too. */
  readonly missing: (first: number, count: number) => number[];
}

/** Where the parts of one upload go. Addresses are fetched many at a time, and anew when they are too old. */
export function createAddresses({ ask, missing }: Source) {
  const known = new Map<number, string>();
  let asking: Promise<void> | undefined;

  const add = (urls: readonly PartUrl[]) => {
    for (const { partNumber, url } of urls) known.set(partNumber, url);
  };
  const fetchFrom = async (number: number) => add(await ask(missing(number, PART_URLS)));

  return {
    add,
    /** Where this part goes. Throws ApiFailure. */
    async of(number: number): Promise<string> {
      while (!known.has(number) && asking) await asking;
      if (!known.has(number)) {
        asking = fetchFrom(number).finally(() => {
          asking = undefined;
        });
        await asking;
      }
      const url = known.get(number);
      if (url === undefined) throw failed("unknown");
      return url;
    },
    /** Notes that an address was refused. Those that came with it are as old; one that replaced it is not. */
    refuse(number: number, url: string) {
      if (known.get(number) === url) known.clear();
    },
  };
}

export type Addresses = ReturnType<typeof createAddresses>;
