import { Failure } from "#contract/failures";
import type { Arrival } from "../transfers/changes.ts";
import type { CallerOf } from "./job-work.ts";
import { pathIn } from "./layout.ts";
import type { Mounts } from "./mounts.ts";
import type { Viewer } from "./tree-access.ts";
import type { View } from "./view.ts";

interface AdmissionNeeds {
  readonly as: (viewer: Viewer) => View;
  readonly mounts: Pick<Mounts, "visible">;
  readonly callerOf: CallerOf;
}

/** With which rights an upload may have been begun. */
const VERBS = ["write", "copy"] as const;

/**
 * Asks when the bytes of an upload come whether whoever began it may still write there: by one of the mounts that show the key.
 * 403 auth.forbidden, path.forbidden, path.mount; 423 path.locked.
 */
export function createAdmission({ as, mounts, callerOf }: AdmissionNeeds) {
  const refusalOf = async (asked: Promise<void>): Promise<Failure | undefined> => {
    try {
      await asked;
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  };

  return async ({ at, owner }: Arrival): Promise<void> => {
    const caller = await callerOf(owner);
    if (!caller) throw new Failure("auth.forbidden");
    const view = as({ caller, door: "mount" });
    const showing = (await mounts.visible(caller)).filter(({ storage }) => storage === at.storage);
    const refusals: Failure[] = [];
    for (const path of showing.map((mount) => pathIn(mount, at.key))) {
      for (const verb of VERBS) {
        const refusal = await refusalOf(view.demand(verb, path));
        if (!refusal) return;
        refusals.push(refusal);
      }
    }
    throw refusals.find(({ code }) => code === "path.locked") ?? refusals[0] ?? new Failure("path.forbidden");
  };
}
