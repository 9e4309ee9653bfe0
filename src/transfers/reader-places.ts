/** Readers at most, in all and from one address. */
const MAX_READERS = 1024;
const MAX_OF_ADDRESS = 128;

/** Places for those who read, of whom each has one until it leaves. */
export function createPlaces() {
  const addresses = new Map<string, number>();
  let readers = 0;

  const count = (address: string, change: 1 | -1): void => {
    const of = (addresses.get(address) ?? 0) + change;
    if (of > 0) addresses.set(address, of);
    else addresses.delete(address);
    readers += change;
  };

  return {
    isFree: (address: string): boolean => readers < MAX_READERS && (addresses.get(address) ?? 0) < MAX_OF_ADDRESS,
    enter: (address: string): void => count(address, 1),
    leave: (address: string): void => count(address, -1),
  };
}
