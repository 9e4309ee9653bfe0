import { useState } from "react";
import { browserStorage } from "../../../lib/storage.ts";

const KEY = "keepFiles";

/** Reports whether deleting a share leaves its file in the storage; remembered by the browser. */
export function useKeepFiles(): [keep: boolean, setKeep: (keep: boolean) => void] {
  const [keep, setKeep] = useState(() => browserStorage.get(KEY) === "1");
  return [
    keep,
    (next) => {
      setKeep(next);
      browserStorage.set(KEY, next ? "1" : "0");
    },
  ];
}
