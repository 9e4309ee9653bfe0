import { cp } from "node:fs/promises";
import { join } from "node:path";
import { completion } from "../../src/cli/completion.ts";
import { manPage } from "../../src/cli/man-page.ts";

/** What stands beside the executable in every archive, for each path there what is in it. */
export type Payload = ReadonlyMap<string, string>;

/** Files of deploy/ that an operator copies. */
const deployed =
  "satchel.service satchel.env compose.yaml compose-cluster.yaml Dockerfile Caddyfile nginx.conf nginx-upstream.conf kubernetes.yaml";

/** Collects the pages for people, the files of deploy/, the completions and the manual page. */
export async function readPayload(root: string, releaseKey: string | undefined, licenses: string): Promise<Payload> {
  const text = (path: string) => Bun.file(join(root, path)).text();
  const pages = ["LICENSE", "README.md", "CHANGELOG.md"];
  const paths = [...pages, ...deployed.split(" ").map((name) => `deploy/${name}`)];
  const copied = await Promise.all(paths.map(async (path) => [path, await text(path)] as const));
  return new Map([
    ...copied,
    ["THIRD-PARTY-LICENSES.txt", licenses],
    ["completions/satchel.bash", completion("bash")],
    ["completions/_satchel", completion("zsh")],
    ["completions/satchel.fish", completion("fish")],
    ["man/satchel.1", manPage(releaseKey)],
  ]);
}

/** Writes the files of the payload, and the executable under this name, into a folder. */
export async function writePayload(folder: string, payload: Payload, executable: string, name: string): Promise<void> {
  for (const [path, text] of payload) await Bun.write(join(folder, path), text);
  await cp(executable, join(folder, name));
}
