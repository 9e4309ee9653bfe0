import { createStore } from "../../lib/store.ts";

interface ConnectionPorts {
  readonly window: Pick<Window, "addEventListener">;
  readonly isOnline: () => boolean;
}

/** Follows whether the browser believes that it is online. */
export function createConnection({ window, isOnline }: ConnectionPorts) {
  const online = createStore(isOnline());
  for (const event of ["online", "offline"] as const) window.addEventListener(event, () => online.set(isOnline()));
  return { online };
}

export type Connection = ReturnType<typeof createConnection>;
