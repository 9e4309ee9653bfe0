import { chmodSync, cpSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Release, run } from "./release.ts";
import { executableOf, type Target } from "./targets.ts";

/** Writes the package for Debian. It starts nothing: the administrator enables the service. */
export async function writePackage(release: Release, target: Target, documents: string): Promise<void> {
  const { version, source, out, time } = release;
  const root = join(source, "dist", `deb-${target.debian}`);
  const put = (from: string, to: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(from, join(root, to));
    chmodSync(join(root, to), mode);
  };
  const write = async (to: string, text: string, mode = 0o644) => {
    await Bun.write(join(root, to), text);
    chmodSync(join(root, to), mode);
  };
  put(join(source, executableOf(target)), "usr/bin/satchel", 0o755);
  put(join(documents, "completions/satchel.bash"), "usr/share/bash-completion/completions/satchel");
  put(join(documents, "completions/_satchel"), "usr/share/zsh/vendor-completions/_satchel");
  put(join(documents, "completions/satchel.fish"), "usr/share/fish/vendor_completions.d/satchel.fish");
  put(join(documents, "satchel.1"), "usr/share/man/man1/satchel.1");
  put(join(documents, "CHANGELOG.md"), "usr/share/doc/satchel/changelog");
  put(join(documents, "LICENSE"), "usr/share/doc/satchel/copyright");
  put(join(documents, "THIRD-PARTY.txt"), "usr/share/doc/satchel/THIRD-PARTY.txt");
  await write("usr/share/doc/satchel/changelog.Debian", debianChanges(release));
  await write("usr/share/lintian/overrides/satchel", OVERRIDES);
  await write("lib/systemd/system/satchel.service", await unitOf(documents));
  await run(["gzip", "-9n", ...COMPRESSED], root);
  await write("DEBIAN/control", controlOf(release, target, statSync(join(root, "usr/bin/satchel")).size));
  for (const script of ["postinst", "postrm"]) await write(`DEBIAN/${script}`, RELOAD, 0o755);
  await run(["chmod", "-R", "u=rwX,go=rX", root], source);
  const file = join(out, `satchel_${version}_${target.debian}.deb`);
  const build = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z6", "--build", root, file];
  await run(build, source, { SOURCE_DATE_EPOCH: String(time) });
}

const COMPRESSED = [
  "man/man1/satchel.1",
  "doc/satchel/changelog",
  "doc/satchel/changelog.Debian",
  "doc/satchel/THIRD-PARTY.txt",
].map((name) => `usr/share/${name}`);

/**
 * Bun's executable ends with the program, so nothing may be stripped from it; it has a libjpeg of its own inside, and is linked as Bun is. Nobody asked
 * Debian for the package, so it closes no bug. `satchel upgrade` looks whether dpkg has installed it, and changes nothing of what dpkg keeps.
 */
const OVERRIDES = `satchel: unstripped-binary-or-object [usr/bin/satchel]
satchel: embedded-library libjpeg [usr/bin/satchel]
satchel: hardening-no-pie [usr/bin/satchel]
satchel: hardening-no-relro [usr/bin/satchel]
satchel: initial-upload-closes-no-bugs
satchel: uses-dpkg-database-directly [usr/bin/satchel]
`;

const MAINTAINER = "The Satchel authors <satchel@users.noreply.github.com>";

const debianChanges = ({ version, time }: Release): string => `satchel (${version}-1) stable; urgency=medium

  * changelog.gz says what is new.

 -- ${MAINTAINER}  ${new Date(time * 1000).toUTCString().replace("GMT", "+0000")}
`;

/** The unit of deploy/, which names the place of an executable that was put there by hand. */
async function unitOf(documents: string): Promise<string> {
  const unit = await Bun.file(join(documents, "satchel.service")).text();
  return unit.replace(/^# .*\n\n?/, "").replace("/usr/local/bin/satchel", "/usr/bin/satchel");
}

const controlOf = ({ version }: Release, { debian }: Target, bytes: number): string => `Package: satchel
Version: ${version}-1
Architecture: ${debian}
Maintainer: ${MAINTAINER}
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.29)
Recommends: ca-certificates
Section: web
Priority: optional
Description: online clipboard and file share in one executable
 Texts and files through short links with password, expiry and a limit of
 views, on a built-in disk store or on any S3-compatible storage, with a tree
 that WebDAV, S3 and API keys open too.
`;

const RELOAD = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`;
