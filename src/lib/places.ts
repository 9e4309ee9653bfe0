interface PlacesOptions {
  /** In all. */
  readonly most: number;
  readonly ofAddress: number;
}

/** Places for those who read or watch something, of whom each has one until it leaves. Addresses are as limits count them. */
export function createPlaces({ most, ofAddress }: PlacesOptions) {
  const addresses = new Map<string, number>();
  let taken = 0;

  const count = (address: string, change: 1 | -1): void => {
    const of = (addresses.get(address) ?? 0) + change;
    if (of > 0) addresses.set(address, of);
    else addresses.delete(address);
    taken += change;
  };

  return {
    isFree: (address: string): boolean => taken < most && (addresses.get(address) ?? 0) < ofAddress,
    enter: (address: string): void => count(address, 1),
    leave: (address: string): void => count(address, -1),
  };
}
