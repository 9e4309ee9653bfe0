import type { Clock } from "../lib/clock.ts";
import { parseHttpDate } from "../lib/http-date.ts";
import type { StorageRow } from "./configs-table.ts";
import type { Bench, Resolve } from "./doctor-bench.ts";
import { createS3Store } from "./s3.ts";
import type { Fetch } from "./s3-wire.ts";
import { isBuiltIn, type Stores } from "./stores.ts";

interface ReachNeeds {
  readonly config: StorageRow;
  readonly stores: Pick<Stores, "of" | "connection">;
  readonly clock: Clock;
  readonly resolve: Resolve;
  readonly origin: string;
}

/** The storage as one examination reaches it: when its signal aborts, no request of it goes on. */
export function createReach({ config, stores, clock, resolve, origin }: ReachNeeds) {
  let offset: number | undefined;

  /** HTTP dates know whole seconds, so the middle of one is likeliest. */
  const note = (date: string | null, began: number) => {
    const told = parseHttpDate(date ?? "");
    if (told !== undefined) offset = told + 500 - (began + clock()) / 2;
  };

  return (signal: AbortSignal, within: number): Pick<Bench, "store" | "elsewhere"> => {
    if (isBuiltIn(config)) return { store: stores.of(config).store, elsewhere: undefined };
    const connection = stores.connection(config);
    const fetch: Fetch = async (url, init) => {
      const began = clock();
      const own = init.signal ? AbortSignal.any([init.signal, signal]) : signal;
      const response = await connection.fetch(url, { ...init, signal: own });
      note(response.headers.get("date"), began);
      return response;
    };
    const elsewhere = { connection, fetch, clock, resolve, origin, within, ahead: () => offset };
    return { store: createS3Store({ ...connection, fetch }), elsewhere };
  };
}

export type Reach = ReturnType<typeof createReach>;
