import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { run } from "./command.ts";

/** What an image has of Debian. */
export interface DebianFiles {
  /** Where each library is in the image, and where it is now. */
  readonly libraries: ReadonlyMap<string, string>;
  /** The licenses of the two packages, likewise. */
  readonly copyrights: ReadonlyMap<string, string>;
  /** The certificates of authorities, one behind the other in PEM. */
  readonly certificates: string;
  /** The packages with their versions, as labels. */
  readonly versions: Readonly<Record<string, string>>;
}

/** All that the executable links, beside its loader: `ldd` says so. */
const LIBRARIES = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"];

/** Where each architecture has its libraries, and where an executable has its loader. */
const places: Readonly<Record<string, { readonly libraries: string; readonly loader: string }>> = {
  amd64: { libraries: "lib/x86_64-linux-gnu", loader: "lib64/ld-linux-x86-64.so.2" },
  arm64: { libraries: "lib/aarch64-linux-gnu", loader: "lib/ld-linux-aarch64.so.1" },
};

/**
 * Downloads libc6 of an architecture and the certificates by apt, with the sources and keys of this machine, and unpacks them below a folder.
 * apt keeps its lists there too, so that nothing on this machine changes and no rights are needed. Throws when apt cannot have them.
 */
export async function downloadDebianFiles(arch: string, folder: string): Promise<DebianFiles> {
  await rm(folder, { recursive: true, force: true });
  for (const name of ["lists/partial", "cache/archives/partial", "packages"])
    await mkdir(join(folder, name), { recursive: true });
  const settings = [
    `Dir::State::Lists=${join(folder, "lists")}`,
    `Dir::Cache=${join(folder, "cache")}`,
    `APT::Architecture=${arch}`,
    `APT::Architectures::=${arch}`,
    "APT::Sandbox::User=root",
  ].flatMap((setting) => ["-o", setting]);
  const packages = ["libc6", "ca-certificates"];
  try {
    await run(["apt-get", "-qq", ...settings, "update"]);
    await run(["apt-get", "-qq", ...settings, "download", ...packages], { cwd: join(folder, "packages") });
  } catch (error) {
    throw new Error(`apt cannot have libc6 for ${arch}, which the image needs; --no-image leaves it out.`, {
      cause: error,
    });
  }
  const root = join(folder, "root");
  const archives = (await readdir(join(folder, "packages"))).map((name) => join(folder, "packages", name)).sort();
  for (const archive of archives) await run(["dpkg-deb", "--extract", archive, root]);
  const field = async (archive: string, name: string) => (await run(["dpkg-deb", "--field", archive, name])).trim();
  const labels = archives.map(async (one) => [`satchel.${await field(one, "Package")}`, await field(one, "Version")]);
  return {
    libraries: await findLibraries(root, arch),
    copyrights: new Map(
      packages.map((name) => [`usr/share/doc/${name}/copyright`, join(root, `usr/share/doc/${name}/copyright`)]),
    ),
    certificates: await joinCertificates(join(root, "usr/share/ca-certificates/mozilla")),
    versions: Object.fromEntries(await Promise.all(labels)),
  };
}

/** Finds the files themselves, in /lib or in /usr/lib: a link would lead to the library of this machine. */
async function findLibraries(root: string, arch: string): Promise<Map<string, string>> {
  const place = places[arch];
  if (!place) throw new Error(`Where ${arch} has its loader is not known.`);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = new Map(
    entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => [name, join(parentPath, name)]),
  );
  const wanted = [...LIBRARIES.map((name) => `${place.libraries}/${name}`), place.loader];
  return new Map(
    wanted.map((path) => {
      const found = files.get(basename(path));
      if (!found) throw new Error(`libc6 for ${arch} has no ${path}.`);
      return [path, found];
    }),
  );
}

async function joinCertificates(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".crt")).sort();
  const texts = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()));
  return texts.map((text) => `${text.trimEnd()}\n`).join("");
}
