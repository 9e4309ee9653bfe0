import type { Connections } from "../../../src/fronts/unread.ts";

/** For requests that come over no connection: their answers leave at once. */
export const noConnections: Connections = {
  requestIP: () => null,
  timeout: () => undefined,
};
