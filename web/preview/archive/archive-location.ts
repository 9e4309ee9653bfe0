import { useLocation, useNavigate } from "react-router-dom";
import { useFromSeal } from "../sealed/from-seal.ts";

/** Where somebody is in an archive. */
export interface ArchiveLocation {
  /** `""` is the root. */
  readonly folder: string;
  /** The place in its list of the file that is open. */
  readonly entry?: number | undefined;
}

const root: ArchiveLocation = { folder: "" };

/** Places in sealed archives. The history is given their ids: browsers write it down, and with it names that were sealed. */
const unwritten = new Map<string, ArchiveLocation>();

/** A place as the history is to keep it. */
export function keptForm(inside: ArchiveLocation, isSealed: boolean): unknown {
  if (!isSealed) return inside;
  const id = crypto.randomUUID();
  unwritten.set(id, inside);
  return id;
}

/** What the history knows, as far as it can be believed: it outlives the page. */
function keptIn(state: unknown): readonly unknown[] {
  const kept: unknown = typeof state === "object" && state !== null && "inside" in state ? state.inside : undefined;
  return Array.isArray(kept) ? kept : [];
}

export function locationOf(kept: unknown): ArchiveLocation {
  if (typeof kept === "string") return unwritten.get(kept) ?? root;
  if (typeof kept !== "object" || kept === null || !("folder" in kept) || typeof kept.folder !== "string") return root;
  const entry = "entry" in kept && typeof kept.entry === "number" ? kept.entry : undefined;
  return { folder: kept.folder, entry };
}

/**
 * Where somebody is in an archive, kept with the entry of the history, so that Back leads back. An archive in an archive has the next level;
 * `isDeeper` tells that its place is not its root.
 */
export function useArchiveLocation(level: number) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const isSealed = useFromSeal();
  const kept = keptIn(state);
  const insides = kept.map(locationOf);
  const deeper = insides[level + 1];
  return {
    inside: insides[level] ?? root,
    isDeeper: deeper !== undefined && (deeper.folder !== "" || deeper.entry !== undefined),
    go(to: ArchiveLocation): void {
      const above = Array.from({ length: level }, (_, at) => kept[at] ?? root);
      navigate({ pathname, search, hash }, { state: { ...state, inside: [...above, keptForm(to, isSealed)] } });
    },
  };
}
