import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useMemo } from "react";
import { useSettled } from "../../../lib/use-settled.ts";
import { WorkerFailure } from "../../../preview/file/run-worker.ts";
import type { Entry } from "../model/entry.ts";
import { replaced } from "./matches.ts";
import { applied, changed, type NewName, newNames } from "./new-names.ts";

/** How somebody wants them renamed. */
export interface RenameOptions {
  readonly kind: "replace" | "pattern";
  readonly find: string;
  readonly instead: string;
  readonly isExpression: boolean;
  readonly pattern: string;
  readonly start: string;
  readonly keepsEnding: boolean;
}

/** Milliseconds without a key before an expression is tried. */
const QUIET = 200;

/** Reports whether names are made by a regular expression. */
const isMatching = ({ kind, isExpression, find }: RenameOptions): boolean =>
  kind === "replace" && isExpression && find !== "";

interface Renaming {
  readonly entries: readonly Entry[];
  /** The names in their folder. */
  readonly taken: ReadonlySet<string>;
}

/** The names that entries of a folder would get. */
export function useNewNames({ entries, taken }: Renaming, options: RenameOptions) {
  const wanted = useDeferredValue(options);
  const { keepsEnding } = wanted;
  const parts = useMemo(() => entries.map((entry) => changed(entry, keepsEnding)), [entries, keepsEnding]);
  const { data, failure, isCurrent } = useMatching(parts, options);
  const matched = isMatching(wanted) ? (data ?? parts) : undefined;
  const names = useMemo(() => namesFor({ entries, taken }, wanted, matched), [entries, taken, wanted, matched]);
  const byExpression = isMatching(options);
  const isShown = wanted === options && (!byExpression || isCurrent);
  return {
    names,
    /** They are those of what is chosen now. */
    isShown,
    /** Why an expression makes no names. */
    failure: byExpression && isCurrent ? failure : undefined,
    /** Those of what is chosen now; undefined while an expression is being tried. */
    now: () => (isShown ? names : byExpression ? undefined : namesFor({ entries, taken }, options, undefined)),
  };
}

/** Makes the names; `matched` is what an expression has made of their parts. */
function namesFor(
  { entries, taken }: Renaming,
  options: RenameOptions,
  matched: readonly string[] | undefined,
): NewName[] {
  const { keepsEnding } = options;
  const parts =
    matched ??
    applied(
      options,
      entries,
      entries.map((entry) => changed(entry, keepsEnding)),
    );
  return newNames({ entries, parts, keepsEnding, taken });
}

/** What an expression makes of texts, once nobody has typed for a moment. */
function useMatching(parts: readonly string[], options: RenameOptions) {
  const id = useId();
  const settled = useSettled(options, QUIET);
  const { find, instead, keepsEnding } = settled;
  const { data, error, isFetching } = useQuery({
    queryKey: ["renaming", id, find, instead, keepsEnding],
    queryFn: ({ signal }) => replaced({ expression: find, instead, parts }, signal),
    enabled: isMatching(settled),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // The names do not jump back while somebody types.
    placeholderData: (before) => before,
    // It asks no server.
    networkMode: "always",
  });
  const failure =
    error === null ? undefined : error instanceof WorkerFailure && error.code === "expression" ? "none" : "late";
  return { data, failure, isCurrent: settled === options && !isFetching } as const;
}
