import { allows, type Permission } from "#contract/permissions";
import { owns, type SessionState } from "./credential.ts";

/** Reports whether who is signed in holds a right; visitors hold none here, they only create. */
export const holds = (state: SessionState, right: Permission): boolean =>
  state.authType === "admin" || (state.authType === "apikey" && allows(state.permissions, right));

/** Reports whether the caller may edit and delete a record: with the right of its kind, and only their own. */
export const mayChange = (state: SessionState, right: Permission, createdBy: string | undefined): boolean =>
  holds(state, right) && owns(state, createdBy ?? "");
