import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const LIST = "\n];\n\n/** The state of the tables. */";

/** A version to come: this one's sources with one more step of the tables, as its author would write it (`["create table ..."]`). */
export async function nextVersion(step: string) {
  const folder = temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  cpSync(join(root, "src"), at("src"), { recursive: true });
  cpSync(join(root, "package.json"), at("package.json"));
  for (const name of ["node_modules", "dist"]) symlinkSync(join(root, name), at(name));
  const file = at("src/database/migrate.ts");
  const text = await Bun.file(file).text();
  if (text.split(LIST).length !== 2) throw new Error("src/database/migrate.ts has no list of steps as it was.");
  await Bun.write(
    file,
    text.replace(LIST, () => `\n  ${step},${LIST}`),
  );
  return {
    command: [process.execPath, at("src/main.ts")],
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
