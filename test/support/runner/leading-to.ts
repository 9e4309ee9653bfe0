import { importsOf, type Source } from "../sources.ts";

/** The paths of those sources whose imports lead to one of these files when the program runs, directly or by way of others, and of the files themselves. */
export function leadingTo(sources: readonly Source[], ...files: string[]): Set<string> {
  const importers = new Map<string, string[]>();
  for (const source of sources) {
    for (const { target, typeOnly } of importsOf(source))
      if (!typeOnly) importers.set(target, [...(importers.get(target) ?? []), source.path]);
  }
  const found = new Set(files);
  // A set takes in what is added while it is gone through.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return found;
}
