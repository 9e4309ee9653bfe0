import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { isFailure } from "../../api/failure.ts";
import { fileKeys, storageKeys, visitorKeys } from "../../api/query-keys.ts";
import { useStore } from "../../lib/store.ts";
import type { UploadPageState } from "./state/upload-state.ts";

/** The shortest time between two refreshes while files arrive, in milliseconds. */
const PACE = 1000;

/**
 * Each file that arrives belongs into the lists of files, and takes space of its storage; the last one at once. A visitor
 * who was refused may do less by now than when the page asked.
 */
export function useRefreshedLists({ uploads }: UploadPageState): void {
  const queries = useQueryClient();
  const refused = useStore(uploads.items).filter(({ failure }) => isFailure(failure, "auth.required")).length;
  useEffect(() => {
    if (refused > 0) void queries.invalidateQueries({ queryKey: visitorKeys.all });
  }, [refused, queries]);
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
