import { admin } from "./admin.ts";
import { pastes } from "./pastes.ts";
import { system } from "./system.ts";

/** The whole contract, for the server and its tests. Pages import their own family, so that a share page stays small. */
export const api = { pastes, admin, system };
