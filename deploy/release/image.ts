import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Release, run, tarOf } from "./release.ts";
import { executableOf, type Target } from "./targets.ts";

/** What the executable links. */
const libraries = ["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"];
const places = {
  amd64: { libraries: "lib/x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2", at: "lib64" },
  arm64: { libraries: "lib/aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1", at: "lib" },
};

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/**
 * Writes an image from scratch for each architecture, and an index over them, as an archive of the OCI image layout 1.0: the executable, the
 * libraries that it links, certificates, and two folders to write to. Nothing when there is no target.
 */
export async function writeImage(release: Release, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return;
  const { version, source, out } = release;
  const layout = join(source, "dist/image");
  mkdirSync(join(layout, "blobs/sha256"), { recursive: true });
  const manifests = [];
  for (const target of targets) manifests.push(await writePlatform(release, target, layout));
  const ref = { "org.opencontainers.image.ref.name": version };
  // One image is named directly, because not every tool goes through an index.
  const top =
    manifests.length === 1
      ? manifests.map((one) => ({ ...one, annotations: ref }))
      : [{ ...writeJson(layout, INDEX, { schemaVersion: 2, mediaType: INDEX, manifests }), annotations: ref }];
  writeFileSync(join(layout, "index.json"), JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: top }));
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  await run([...tarOf(release), "-cf", join(out, `satchel_${version}_oci.tar`), "-C", layout, "."], source);
}

const INDEX = "application/vnd.oci.image.index.v1+json";

async function writePlatform(release: Release, target: Target, layout: string) {
  const { source, time, version } = release;
  const root = await writeRoot(release, target);
  const plain = join(source, "dist", `layer-${target.debian}.tar`);
  await run([...tarOf(release), "-cf", plain, "-C", root, "."], source);
  // The server writes here, and runs as nobody that the image knows by name.
  const folders = join(source, "dist", "writable");
  mkdirSync(join(folders, "data"), { recursive: true });
  mkdirSync(join(folders, "tmp"), { recursive: true });
  chmodSync(join(folders, "data"), 0o700);
  chmodSync(join(folders, "tmp"), 0o1777);
  const owned = tarOf(release).map((word) => word.replace(/^--(owner|group)=0$/, "--$1=65532"));
  await run([...owned, "-rf", plain, "-C", folders, "./data", "./tmp"], source);
  const diffId = `sha256:${digestOf(readFileSync(plain))}`;
  await run(["gzip", "-n", "-6", plain], source);
  const layer = writeBlob(layout, LAYER, readFileSync(`${plain}.gz`));
  const config = writeJson(layout, CONFIG, configOf(target, diffId, time, version));
  const manifest = { schemaVersion: 2, mediaType: MANIFEST, config, layers: [layer] };
  const platform = { os: "linux", architecture: target.debian };
  return { ...writeJson(layout, MANIFEST, manifest), platform };
}

const LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";
const CONFIG = "application/vnd.oci.image.config.v1+json";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

const SECOND = 1_000_000_000;

/** As the Dockerfile of deploy/ has it. */
const configOf = ({ debian }: Target, diffId: string, time: number, version: string) => ({
  created: new Date(time * 1000).toISOString(),
  architecture: debian,
  os: "linux",
  config: {
    User: "65532:65532",
    ExposedPorts: { "8787/tcp": {} },
    Env: ["DATA_DIR=/data", "HOST=0.0.0.0"],
    Entrypoint: ["/satchel"],
    Volumes: { "/data": {} },
    WorkingDir: "/",
    Labels: { "org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "MIT" },
    Healthcheck: { Test: ["CMD", "/satchel", "healthcheck"], Interval: 10 * SECOND, Timeout: 10 * SECOND },
  },
  rootfs: { type: "layers", diff_ids: [diffId] },
  history: [{ created: new Date(time * 1000).toISOString(), created_by: "release.ts" }],
});

/** The files of an image: what it runs, and of Debian's packages what that needs. */
async function writeRoot({ source }: Release, target: Target): Promise<string> {
  const architecture = target.debian ?? "amd64";
  const root = join(source, "dist", `root-${architecture}`);
  const put = (from: string, to: string, mode: number) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(from, join(root, to), { dereference: true });
    chmodSync(join(root, to), mode);
  };
  put(join(source, executableOf(target)), "satchel", 0o755);
  const packages = await unpack(source, architecture, ["libc6", "ca-certificates"]);
  const place = places[architecture];
  for (const name of libraries) put(join(packages, place.libraries, name), join(place.libraries, name), 0o644);
  put(join(packages, place.libraries, place.loader), join(place.at, place.loader), 0o755);
  const folder = join(packages, "usr/share/ca-certificates/mozilla");
  const certificates = readdirSync(folder).sort();
  mkdirSync(join(root, "etc/ssl/certs"), { recursive: true });
  const all = certificates.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n");
  writeFileSync(join(root, "etc/ssl/certs/ca-certificates.crt"), `${all}\n`);
  await run(["chmod", "-R", "u=rwX,go=rX", root], source);
  return root;
}

/** Unpacks Debian's packages of an architecture, with lists of their own, so that the machine's stay as they are. */
async function unpack(source: string, architecture: string, names: readonly string[]): Promise<string> {
  const folder = join(source, "dist", `debian-${architecture}`);
  const state = ["state/lists/partial", "cache/archives/partial", "packages", "root"];
  for (const name of state) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "status"), "");
  const settings = [
    `Dir::State=${join(folder, "state")}`,
    `Dir::State::status=${join(folder, "status")}`,
    `Dir::Cache=${join(folder, "cache")}`,
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    "APT::Sandbox::User=root",
  ].flatMap((setting) => ["-o", setting]);
  await run(["apt-get", ...settings, "update", "-qq"], folder);
  await run(["apt-get", ...settings, "download", "-qq", ...names], join(folder, "packages"));
  for (const file of readdirSync(join(folder, "packages")))
    await run(["dpkg-deb", "-x", join(folder, "packages", file), join(folder, "root")], folder);
  return join(folder, "root");
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function writeBlob(layout: string, mediaType: string, bytes: Uint8Array): Descriptor {
  const digest = digestOf(bytes);
  const file = join(layout, "blobs/sha256", digest);
  writeFileSync(`${file}.part`, bytes);
  renameSync(`${file}.part`, file);
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
}

const writeJson = (layout: string, mediaType: string, value: unknown): Descriptor =>
  writeBlob(layout, mediaType, Buffer.from(JSON.stringify(value)));
