import { Failure } from "#contract/failures";
import { isLocal } from "#contract/providers";
import { setCorsRules } from "../s3/cors.ts";
import type { Stores } from "../stores.ts";
import { type Call, type TestDeps, testStorage } from "./storage-test.ts";
import type { Result } from "./words.ts";

interface DoctorDeps extends TestDeps {
  readonly stores: Pick<Stores, "configs" | "of" | "connection">;
}

/** Tests storages and sets the CORS rules of their buckets. */
export function createDoctor(deps: DoctorDeps) {
  const running = new Set<string>();

  return {
    /** Runs every check on files of its own and removes them. 404 storage.missing, 409 storage.testing. */
    async examine(id: string, call: Call) {
      const config = await deps.stores.configs.get(id);
      if (running.has(id)) throw new Failure("storage.testing");
      running.add(id);
      try {
        const report = await testStorage(deps, config, call);
        await deps.stores.configs.noteTest(config, report.steps.every(isGood));
        return report;
      } finally {
        running.delete(id);
      }
    },

    /** Sets the CORS rules of a bucket as `setCorsRules` does. 404 storage.missing, 400 storage.corsBuiltIn. */
    async setCors(id: string, origins: readonly string[]): Promise<void> {
      const config = await deps.stores.configs.get(id);
      if (isLocal(config)) throw new Failure("storage.corsBuiltIn");
      await setCorsRules(deps.stores.connection(config), origins);
    },
  };
}

const isGood = ({ outcome }: Pick<Result, "outcome">): boolean => outcome === "passed" || outcome === "notNeeded";
