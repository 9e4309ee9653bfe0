import { allows, type Permission } from "#contract/permissions";
import { owns, type SessionState } from "./credential.ts";

/** Reports whether the signed-in person has a right. Visitors have none here: they can only create. */
export const holds = (state: SessionState, right: Permission): boolean =>
  state.authType === "admin" || (state.authType === "apikey" && allows(state.permissions, right));

/** Reports whether the caller may edit and delete a record: with the right of its kind, and only their own. */
export const mayChange = (state: SessionState, right: Permission, createdBy: string | undefined): boolean =>
  holds(state, right) && owns(state, createdBy ?? "");
