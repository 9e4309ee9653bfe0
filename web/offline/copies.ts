import { type CopyRule, copyRules, forgetListed, isValid, type ReadRequest } from "./copy-rules.ts";
import { copies, isFull, type OfflineDatabase, personal, rangeOf, type ShareStore } from "./database.ts";

/** The key of the setting that names the person whom the copies belong to. */
const OWNER = "owner";

/** Stores copies of the server's answers for when it cannot be reached. A share with a password or a view limit is never stored. */
export function createCopies(database: OfflineDatabase, now: () => number) {
  const rules = copyRules(database);
  const owner = async (): Promise<unknown> => (await database.get("settings", OWNER))?.value;
  /** One transaction, so that no copy is left without the setting that says whose it is. */
  const forgetWith = async (forgetShares: (shares: ShareStore) => Promise<unknown>): Promise<void> => {
    const transaction = database.transaction(personal, "readwrite");
    const settings = transaction.objectStore("settings");
    await Promise.all([
      settings.delete(OWNER),
      settings.delete(rangeOf("settings")),
      transaction.objectStore("directories").delete(rangeOf("directories")),
      transaction.objectStore("searchHistory").clear(),
      forgetShares(transaction.objectStore("pastes")),
      forgetShares(transaction.objectStore("files")),
      transaction.done,
    ]);
  };
  /** Deletes what belongs to a person: everything but shares that were opened by nobody who was signed in. */
  const forgetPerson = async (): Promise<void> => {
    // Shares are rewritten without the part from the list. If there is no room even for that, they are deleted.
    await forgetWith(forgetListed).catch(() => forgetWith((shares) => shares.clear()));
  };
  const ruleOf = ({ path }: ReadRequest): CopyRule | undefined =>
    Object.hasOwn(rules, path) ? rules[path] : undefined;

  return {
    /** Stores what the server answered to this person, unless the copies belong to somebody else. */
    async keep(asked: ReadRequest, answer: unknown, person: string | undefined): Promise<void> {
      const rule = ruleOf(asked);
      // An answer to somebody who has left since is kept neither for them nor for who comes next.
      if (!rule || ((rule.personal || person !== undefined) && (await owner()) !== person)) return;
      await rule.keep(answer, asked, now(), person);
    },
    /** Returns the stored answer. Personal ones are returned only to their owner: a session that expires leaves them here until its owner is back. */
    async recall(asked: ReadRequest, person: string | undefined): Promise<unknown> {
      const rule = ruleOf(asked);
      if (!rule || (rule.personal && (await owner()) !== person)) return undefined;
      return await rule.recall(asked, now());
    },
    /** Records who is signed in, and deletes what belongs to anybody else. */
    async attend(person: string): Promise<void> {
      if ((await owner()) === person) return;
      await forgetPerson();
      await database.put("settings", { key: OWNER, value: person, updatedAt: now() });
    },
    async forget(asked: ReadRequest): Promise<void> {
      await ruleOf(asked)?.forget?.(asked);
    },
    /** Deletes copies that are too old. */
    async sweep(): Promise<void> {
      for (const name of copies) {
        const transaction = database.transaction(name, "readwrite");
        for await (const cursor of transaction.store.iterate(rangeOf(name)))
          if (!isValid(timeOf(cursor.value), now())) await cursor.delete();
        await transaction.done;
      }
    },
    /** Deletes all copies, to free space. */
    async clear(): Promise<void> {
      for (const name of copies) await database.delete(name, rangeOf(name));
    },
    forgetPerson,
    /** Returns whose copies they are; undefined if nobody's. */
    async owner(): Promise<string | undefined> {
      const person = await owner();
      return typeof person === "string" ? person : undefined;
    },
  };
}

export type Copies = ReturnType<typeof createCopies>;

/** Runs a task. If the device is full, deletes all copies and runs it again: what a person made is worth more than copies. */
export async function withRoom<Result>(database: OfflineDatabase, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    if (!isFull(error)) throw error;
    await createCopies(database, Date.now).clear();
    return await task();
  }
}

const timeOf = (value: { readonly cachedAt: number } | { readonly updatedAt: number }): number =>
  "cachedAt" in value ? value.cachedAt : value.updatedAt;
