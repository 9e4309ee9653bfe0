import { sql } from "../../../src/database/sql.ts";
import { makeKey } from "../make-key.ts";
import type { TestHouse } from "../test-house.ts";

/** The key of the other of two. */
export const OTHER = "other-key-12345678";

/** Makes two keys, one of which has its name as its id. */
export async function makeTwoKeys(house: TestHouse): Promise<void> {
  await makeKey(house, { name: "mine", permissions: ["text"] });
  await makeKey(house, { name: "other", custom_key: OTHER });
  await house.db.run(sql`update api_keys set id = name where name = 'mine'`);
}
