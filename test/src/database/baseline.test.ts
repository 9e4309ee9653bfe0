import { expect, test } from "bun:test";
import { migrate } from "../../../src/database/migrate.ts";
import { plainSql, sql } from "../../../src/database/sql.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { examineOlder, examineStep22 } from "../../suites/step-22.ts";
import { step22File } from "../../support/database/step-22.ts";

/** The baseline has the tables that the steps before it made, and their databases go on. */

const open = (content?: Uint8Array) => openSqlite({ file: ":memory:", synchronous: "NORMAL", content });

test("a database at the step of the baseline goes on, and ends with the tables of a new one", async () => {
  const [old, fresh] = [open(await step22File()), open()];
  await examineStep22(old, fresh);
  await old.close();
  await fresh.close();
});

test("a database from before is refused, with a sentence that says what to start first", async () => {
  for (const step of [1, 21]) {
    const db = open(await step22File(step));
    await examineOlder(db);
    await db.close();
  }
});

test("a row that refers to nothing stops the start", async () => {
  const db = open(await step22File());
  await db.run(plainSql("pragma foreign_keys = off"));
  await db.run(sql`delete from storage_configs`);
  await expect(migrate(db, true)).rejects.toThrow("refers to one that is not there");
  await db.close();
});
