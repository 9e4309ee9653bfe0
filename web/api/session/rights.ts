import { type QueryClient, useQuery } from "@tanstack/react-query";
import { allows, type Permission } from "#contract/permissions";
import { system } from "#contract/system";
import { useStore } from "../../lib/store.ts";
import { call } from "../call.ts";
import { visitorKeys } from "../query-keys.ts";
import { credential, type SessionState } from "./credential.ts";

/** The rights of visitors here. */
interface VisitorRights {
  readonly permissions: number;
  readonly basePath: string;
}

/** The current person's rights. The server decides; these only avoid offering what it would refuse. */
export interface Rights {
  readonly admin: boolean;
  /** Visitors never list, edit or delete, whatever they may create. */
  readonly signedIn: boolean;
  may(right: Permission): boolean;
  readonly basePath: string;
  /** The rights of visitors, as bits; undefined until the server has answered. */
  readonly visitors: "unknown" | number;
}

/** Returns the rights of a session. Visitors' rights count as granted while they are unknown, so that nothing flickers. */
function rightsOf(state: SessionState, visitors: "unknown" | VisitorRights): Rights {
  const known = visitors === "unknown" ? visitors : visitors.permissions;
  if (state.authType === "admin")
    return { admin: true, signedIn: true, may: () => true, basePath: "/", visitors: known };
  if (state.authType === "apikey") {
    const { permissions, basePath } = state;
    return { admin: false, signedIn: true, may: (right) => allows(permissions, right), basePath, visitors: known };
  }
  return {
    admin: false,
    signedIn: false,
    may: (right) => known === "unknown" || allows(known, right),
    basePath: visitors === "unknown" ? "/" : visitors.basePath,
    visitors: known,
  };
}

/** Returns the current person's rights as far as they are known at this moment. */
export const rightsNow = (queries: QueryClient): Rights =>
  rightsOf(credential.state.get(), queries.getQueryData<VisitorRights>(visitorKeys.all) ?? "unknown");

/** Returns the current person's rights. Asks the server for those of visitors if nobody is signed in. */
export function useRights(): Rights {
  const state = useStore(credential.state);
  const { data } = useQuery({
    queryKey: visitorKeys.all,
    queryFn: async ({ signal }): Promise<VisitorRights> => {
      const { permissions, basic_path: basePath } = (await call(system.visitors, { signal })).data;
      return { permissions, basePath };
    },
    enabled: state.authType === "none",
  });
  return rightsOf(state, data ?? "unknown");
}
