import { type Run, scriptCipher } from "./chunks.ts";

/** What takes long with runs of chunks where the browser does not do it. Apart from headers, of which the service worker reads none. */
export const runTasks = {
  seal: (key: Uint8Array, run: Run) => scriptCipher(key).seal(run),
  open: (key: Uint8Array, run: Run) => scriptCipher(key).open(run),
};
