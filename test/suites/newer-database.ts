import { expect } from "bun:test";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";

/** What a server makes of an empty database that newer ones have migrated, step by step. */
export async function examineNewer(db: Database): Promise<void> {
  const { known } = await migrate(db, true);
  const additive = ["create table notes (id text primary key) strict"];
  expect(await migrate(db, true, [additive])).toMatchObject({ version: known + 1, known: known + 1 });
  for (const mayChange of [true, false])
    expect(await migrate(db, mayChange)).toMatchObject({ version: known + 1, known });

  // The version with the first of these steps does not use the table any more, the one before does.
  const removal = { needs: known + 1, statements: ["drop table notes"] };
  await migrate(db, true, [additive, removal]);
  expect(await migrate(db, true, [additive])).toMatchObject({ version: known + 2, known: known + 1 });
  for (const mayChange of [true, false])
    await expect(migrate(db, mayChange)).rejects.toThrow(
      `newer Satchel: only one that knows step ${known + 1} can work on its tables (this one knows ${known})`,
    );

  // A later step that needs less changes nothing.
  await migrate(db, true, [additive, removal, { needs: 1, statements: [] }]);
  await expect(migrate(db, true)).rejects.toThrow("newer Satchel");
}
