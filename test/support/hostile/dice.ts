/** Chance that can be repeated: the same seed rolls the same numbers on every machine. */
export interface Dice {
  /** From 0 up to but not including 1. */
  roll(): number;
  /** A whole number from 0 up to but not including `count`. */
  below(count: number): number;
  /** True in this share of cases. */
  chance(share: number): boolean;
  /** One of a list. Throws when it is empty. */
  pick<T>(list: readonly T[]): T;
}

/** Dice for one request: `number` gives each of them its own, so that any single one can be made again. */
export function createDice(seed: number, number: number): Dice {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
  // mulberry32: 32 bits of state and a full period.
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(roll() * count);
  return {
    roll,
    below,
    chance: (share) => roll() < share,
    pick(list) {
      if (list.length === 0) throw new Error("There is nothing to pick from.");
      return list[below(list.length)] as (typeof list)[number];
    },
  };
}

/** Picks one of several by their weights. */
export function weighted<T>(dice: Dice, choices: readonly (readonly [weight: number, choice: T])[]): T {
  const sum = choices.reduce((total, [weight]) => total + weight, 0);
  let left = dice.roll() * sum;
  for (const [weight, choice] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return dice.pick(choices)[1];
}
