import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { normalize } from "./archive.ts";
import { run } from "./command.ts";
import type { Payload } from "./payload.ts";
import type { Source } from "./source.ts";
import { debianArch, type Target } from "./targets.ts";

/**
 * Makes a package for Debian and its relatives: the executable in /usr/bin, the unit, completions, manual page and pages for people. The unit
 * makes its own user, and it is the operator who enables it. Returns the package's path.
 */
export async function packDeb(
  source: Source,
  target: Target,
  { executable, payload, out }: { executable: string; payload: Payload; out: string },
): Promise<string> {
  const arch = debianArch[target.arch];
  const folder = join(out, "work", `deb-${arch}`);
  await rm(folder, { recursive: true, force: true });
  const put = (path: string, bytes: string | Uint8Array | Blob) => Bun.write(join(folder, path), bytes);
  await put("usr/bin/satchel", Bun.file(executable));
  for (const [path, bytes] of packaged(source, payload)) await put(path, bytes);
  await normalize(folder, source.time, ["usr/bin/satchel"]);
  const size = Number((await run(["du", "--summarize", "--apparent-size", "--block-size=1K", folder])).split("\t")[0]);
  await mkdir(join(folder, "DEBIAN"));
  await put("DEBIAN/control", control(source, arch, size, await glibcOf(executable)));
  await put("DEBIAN/md5sums", await sums(folder));
  for (const [name, script] of Object.entries(scripts)) {
    await put(`DEBIAN/${name}`, script);
    await chmod(join(folder, "DEBIAN", name), 0o755);
  }
  await chmod(join(folder, "DEBIAN"), 0o755);
  const archive = join(out, `satchel_${source.version}_${arch}.deb`);
  // Among the levels of xz the first is four times as fast as the sixth, and a tenth larger.
  const building = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", folder, archive];
  await run(building, { env: { SOURCE_DATE_EPOCH: String(source.time) } });
  await rm(folder, { recursive: true });
  return archive;
}

/** Everything in the package but the executable. */
function packaged(source: Source, payload: Payload): Map<string, string | Uint8Array> {
  const text = (path: string) => payload.get(path) ?? "";
  const doc = "usr/share/doc/satchel";
  const examples = [...payload.keys()].filter((path) => /^deploy\/(?!satchel\.service|Dockerfile)/.test(path));
  return new Map<string, string | Uint8Array>([
    ["usr/lib/systemd/system/satchel.service", unit(text("deploy/satchel.service"))],
    ["usr/share/bash-completion/completions/satchel", text("completions/satchel.bash")],
    ["usr/share/zsh/vendor-completions/_satchel", text("completions/_satchel")],
    ["usr/share/fish/vendor_completions.d/satchel.fish", text("completions/satchel.fish")],
    ["usr/share/man/man1/satchel.1.gz", compress(text("man/satchel.1"))],
    [`${doc}/README.md.gz`, compress(text("README.md"))],
    [`${doc}/changelog.gz`, compress(text("CHANGELOG.md"))],
    [`${doc}/changelog.Debian.gz`, compress(debianChangelog(source))],
    [`${doc}/THIRD-PARTY-LICENSES.txt.gz`, compress(text("THIRD-PARTY-LICENSES.txt"))],
    [`${doc}/copyright`, copyright(text("LICENSE"))],
    ...examples.map((path) => [path.replace("deploy", `${doc}/examples`), text(path)] as const),
    ["usr/share/lintian/overrides/satchel", OVERRIDES],
  ]);
}

/** gzip without a name and a time, as Debian's policy wants it. */
const compress = (text: string): Uint8Array => gzipSync(text, { level: 9 });

/** The unit of deploy/ is for an executable that somebody put into /usr/local. */
function unit(text: string): string {
  return text.replace(/^#.*\n\n?/, "").replace("/usr/local/bin/satchel", "/usr/bin/satchel");
}

const MAINTAINER = "The Satchel authors <satchel@users.noreply.invalid>";

const control = ({ version }: Source, arch: string, size: number, glibc: string): string => `Package: satchel
Version: ${version}-1
Architecture: ${arch}
Maintainer: ${MAINTAINER}
Installed-Size: ${size}
Depends: libc6 (>= ${glibc})
Section: web
Priority: optional
Description: online clipboard and file share in one executable
 Satchel shares texts and files by short links with password, expiry and an
 exact limit of views. One tree shows the files of a folder and of storages
 that speak S3, by a page, an API, WebDAV and S3.
 .
 The unit satchel.service keeps everything in /var/lib/satchel. It is not
 enabled by the installation: systemctl enable --now satchel.
`;

const debianChangelog = ({ version, time }: Source): string => `satchel (${version}-1) stable; urgency=medium

  * Release ${version}; changelog.gz says what is new.

 -- ${MAINTAINER}  ${new Date(time * 1000).toUTCString().replace("GMT", "+0000")}
`;

const copyright = (license: string): string =>
  `${license}\nThe executable holds what others wrote too: THIRD-PARTY-LICENSES.txt.gz has it, with its licenses.\n`;

/** The newest version of glibc whose symbols the executable asks for. */
async function glibcOf(executable: string): Promise<string> {
  const bytes = Buffer.from(await Bun.file(executable).arrayBuffer());
  const minors: number[] = [];
  const word = Buffer.from("GLIBC_2.");
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) {
    const minor = /^\d+/.exec(bytes.toString("latin1", at + word.length, at + word.length + 4))?.[0];
    if (minor) minors.push(Number(minor));
  }
  if (minors.length === 0) throw new Error(`${executable} asks for no symbol of glibc.`);
  return `2.${Math.max(...minors)}`;
}

/** The sums by which `dpkg --verify` finds files that have changed. */
async function sums(folder: string): Promise<string> {
  const files = await Array.fromAsync(new Bun.Glob("usr/**/*").scan({ cwd: folder, dot: true }));
  const lines = files.sort().map(async (path) => {
    const hash = new Bun.CryptoHasher("md5");
    for await (const chunk of Bun.file(join(folder, path)).stream()) hash.update(chunk);
    return `${hash.digest("hex")}  ${path}\n`;
  });
  return (await Promise.all(lines)).join("");
}

/** systemd learns of the unit, restarts a server that ran at an upgrade, and stops one before its executable goes. */
const scripts = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  [ -z "$2" ] || systemctl try-restart satchel.service
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now --quiet satchel.service
fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
`,
} as const;

/** What lintian would call errors, with the reasons. */
const OVERRIDES = `# The executable is Bun with the program and the pages behind it: strip would cut them off.
satchel: unstripped-binary-or-object
# Bun brings a libjpeg of its own, and is released when that has to be repaired.
satchel: embedded-library
`;
