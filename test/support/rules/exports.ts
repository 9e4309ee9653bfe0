import { importsOf, type Source, withoutComments } from "../sources.ts";

/** An exported name and where it stands. */
export interface Export {
  readonly path: string;
  readonly name: string;
}

const declaration =
  /^export (?:default )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;
const list = /^export (?:type )?\{([^}]*)\}/gm;

/** The names that a file exports. */
export function exportsOf({ path, text }: Source): Export[] {
  const declared = [...text.matchAll(declaration)].map(([, name = ""]) => name);
  const listed = [...text.matchAll(list)].flatMap(([, names = ""]) =>
    names.split(",").flatMap(
      (one) =>
        one
          .trim()
          .replace(/^type /, "")
          .split(" as ")
          .at(-1) || [],
    ),
  );
  return [...declared, ...listed].map((name) => ({ path, name }));
}

/**
 * The exports that no other file imports. A file that is imported as a whole or while the program runs counts as used where
 * its importer names the export.
 */
export function idleExports(exporters: readonly Source[], importers: readonly Source[]): Export[] {
  const users = new Map<string, Source[]>();
  for (const importer of importers)
    for (const target of new Set(importsOf(importer).map((one) => one.target)))
      users.set(target, [...(users.get(target) ?? []), { ...importer, text: withoutComments(importer.text) }]);
  return exporters
    .flatMap(exportsOf)
    .filter(({ path, name }) => !users.get(path)?.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)));
}
