import { lookup } from "node:dns/promises";
import { Failure } from "#contract/failures";
import type { Language } from "#contract/messages/sentence";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createCorsRules } from "./cors-rules.ts";
import type { Resolve } from "./doctor-bench.ts";
import { type Report, reportOf } from "./doctor-report.ts";
import { type Limits, visit } from "./doctor-visit.ts";
import type { Stores } from "./stores.ts";

interface DoctorNeeds {
  readonly stores: Pick<Stores, "configs" | "of" | "connection">;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Limits;
  readonly resolve?: Resolve;
}

interface Call {
  /** That of the page which the administrator looks at. */
  readonly origin: string;
  readonly language: Language;
}

/** A test takes a minute at most. */
const LIMITS: Limits = { step: 10_000, parts: 30_000, whole: 50_000, cleaning: 10_000 };

/** As this machine resolves names (getaddrinfo), its own hosts file included. */
const byMachine: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Tells what works with a storage and what to do about what does not. */
export function createDoctor({ stores, clock, log, limits = LIMITS, resolve = byMachine }: DoctorNeeds) {
  const visited = new Set<string>();

  return {
    /** Tests a storage, on files of its own that go again. 404 storage.missing, 409 storage.testing. */
    async examine(id: string, { origin, language }: Call): Promise<Report> {
      const config = await stores.configs.get(id);
      if (visited.has(id)) throw new Failure("storage.testing");
      visited.add(id);
      try {
        return reportOf(await visit({ config, stores, clock, log, limits, resolve, origin }), language);
      } finally {
        visited.delete(id);
      }
    },

    setCors: createCorsRules(stores),
  };
}
