import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { licenceTexts } from "./dependencies.ts";
import { type Release, run } from "./release.ts";

/** What goes with an executable, in a folder as archives have it. */
export async function writeDocuments({ source, out }: Release): Promise<string> {
  const folder = join(source, "dist/documents");
  mkdirSync(join(folder, "completions"), { recursive: true });
  for (const name of ["LICENSE", "README.md", "CHANGELOG.md"]) cpSync(join(source, name), join(folder, name));
  for (const name of ["satchel.service", "satchel.env", "compose.yaml", "Dockerfile"])
    cpSync(join(source, "deploy", name), join(folder, name));
  await Bun.write(join(folder, "THIRD-PARTY.txt"), licenceTexts(source));
  const ask = (...words: string[]) => run(["bun", "src/main.ts", ...words], source);
  await Bun.write(join(folder, "satchel.1"), await ask("man"));
  await Bun.write(join(folder, "completions/satchel.bash"), await ask("completion", "bash"));
  await Bun.write(join(folder, "completions/_satchel"), await ask("completion", "zsh"));
  await Bun.write(join(folder, "completions/satchel.fish"), await ask("completion", "fish"));
  await Bun.write(join(out, "THIRD-PARTY.txt"), Bun.file(join(folder, "THIRD-PARTY.txt")));
  return folder;
}
