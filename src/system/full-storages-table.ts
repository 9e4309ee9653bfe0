import { z } from "zod/mini";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

const FULL_FACT = "full storages";

const idsSchema = z.array(z.string());

/** Another server has noted what is full since it was read. */
export class NotedElsewhere extends Error {}

/** Which storages were full when somebody looked last, for all servers: one row of JSON among the facts. */
export const fullStoragesTable = (db: Database) => ({
  async read(): Promise<{ readonly ids: readonly string[]; readonly text: string }> {
    const row = await db.first<{ value: string }>(sql`select value from facts where name = ${FULL_FACT}`);
    const found = row && idsSchema.safeParse(JSON.parse(row.value));
    return { ids: found?.success ? found.data : [], text: row?.value ?? "" };
  },
  /** Notes them with statements that tell of it, unless another server has noted others since `before`: throws NotedElsewhere then. */
  write: (ids: readonly string[], before: string, told: readonly Sql[]) =>
    db.batch([
      sql`insert into facts (name, value) values (${FULL_FACT}, ${JSON.stringify(ids)})
        on conflict (name) do update set value = excluded.value where facts.value = ${before}`.expect(
        1,
        new NotedElsewhere(),
      ),
      ...told,
    ]),
});
