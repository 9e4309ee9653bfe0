import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { fileKeys, storageKeys } from "../../api/query-keys.ts";
import { useStore } from "../../lib/store.ts";
import type { Desk } from "./desk/desk.ts";

/** The shortest time between two refreshes while files arrive, in milliseconds. */
const PACE = 1000;

/** Each file that arrives belongs into the lists of files, and takes space of its storage; the last one at once. */
export function useRefreshedLists({ uploads }: Desk): void {
  const queries = useQueryClient();
  const { completed, active } = useStore(uploads.totals);
  const last = useRef({ completed: 0, at: 0 });
  useEffect(() => {
    // Rows that were taken out of the list have not arrived.
    if (completed <= last.current.completed) {
      last.current.completed = completed;
      return;
    }
    const refresh = () => {
      last.current = { completed, at: Date.now() };
      void queries.invalidateQueries({ queryKey: fileKeys.lists });
      void queries.invalidateQueries({ queryKey: storageKeys.all });
    };
    const wait = active ? last.current.at + PACE - Date.now() : 0;
    if (wait <= 0) return refresh();
    const timer = setTimeout(refresh, wait);
    return () => clearTimeout(timer);
  }, [completed, active, queries]);
}
