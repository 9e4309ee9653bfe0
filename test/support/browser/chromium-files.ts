import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import manifest from "../../../package.json";

/** What it takes to start the browser. */
export interface ChromiumFiles {
  readonly executable: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The packed parts of @sparticuz/chromium: the browser, its fonts, and the libraries a bare system lacks. */
const parts = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];

/**
 * Unpacks the browser once per version and machine (211 MB, about four seconds). It is unpacked beside its place and then
 * moved there, so that a run that was cut short leaves nothing half done, and two runs at once do not disturb each other.
 */
export async function unpackChromium(): Promise<ChromiumFiles> {
  const folder = join(tmpdir(), `satchel-chromium-${manifest.devDependencies["@sparticuz/chromium"]}`);
  if (!existsSync(folder)) await unpackTo(folder);
  return {
    executable: join(folder, "chromium"),
    environment: {
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      FONTCONFIG_FILE: await writeFontConfiguration(folder),
    },
  };
}

async function unpackTo(folder: string): Promise<void> {
  const { inflate } = await import("@sparticuz/chromium");
  const packed = join(dirname(Bun.resolveSync("@sparticuz/chromium", import.meta.dir)), "../bin");
  const staging = await mkdtemp(`${folder}.`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = staging; // Where the package unpacks to; it takes no other word for it.
  try {
    await Promise.all(parts.map((part) => inflate(join(packed, part))));
    await rename(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // Else another run was faster.
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(staging, { recursive: true, force: true });
  }
}

/** The package's own configuration names a folder that is not ours, and none of its fonts is Chinese. */
async function writeFontConfiguration(folder: string): Promise<string> {
  const chinese = dirname(
    Bun.resolveSync("@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf", import.meta.dir),
  );
  const cache = join(folder, "font-cache");
  await mkdir(cache, { recursive: true });
  const file = join(folder, `fonts-${Bun.hash(chinese).toString(36)}.conf`);
  const folders = [join(folder, "fonts"), chinese].map((path) => `<dir>${Bun.escapeHTML(path)}</dir>`).join("");
  const text = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${folders}<cachedir>${Bun.escapeHTML(cache)}</cachedir></fontconfig>
`;
  if (!existsSync(file)) await Bun.write(file, text);
  return file;
}
