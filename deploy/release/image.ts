import { createHash } from "node:crypto";
import { chmod, cp, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { normalize, reproducible } from "./archive.ts";
import { run } from "./command.ts";
import { type DebianFiles, downloadDebianFiles } from "./debian-files.ts";
import type { Source } from "./source.ts";
import { debianArch, type Target } from "./targets.ts";

/** The user of the image, whom no system has otherwise. */
const USER = 65532;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const type = (name: string) => `application/vnd.oci.image.${name}`;

/**
 * Makes an image without an engine: an OCI layout (OCI image specification 1.1) in a tar archive, which engines load, with an image for each
 * of these systems. From scratch: the executable, the libraries that it links, certificates, /data and /tmp; no shell. Returns its path.
 */
export async function packImage(
  source: Source,
  executables: ReadonlyMap<Target, string>,
  out: string,
): Promise<string> {
  const layout = join(out, "work", "oci");
  await mkdir(join(layout, "blobs/sha256"), { recursive: true });
  const manifests = [];
  for (const [target, executable] of executables) {
    const manifest = await writeImage(source, target, { executable, layout, work: join(out, "work") });
    manifests.push({ ...manifest, platform: { os: "linux", architecture: debianArch[target.arch] } });
  }
  const index = { schemaVersion: 2, mediaType: type("index.v1+json"), manifests, annotations: annotations(source) };
  const named = { "org.opencontainers.image.ref.name": source.version };
  const all = { ...(await writeJson(layout, index.mediaType, index)), annotations: named };
  await Bun.write(
    join(layout, "index.json"),
    JSON.stringify({ schemaVersion: 2, mediaType: index.mediaType, manifests: [all] }),
  );
  await Bun.write(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  await normalize(layout, source.time);
  const archive = join(out, `satchel_${source.version}_oci.tar`);
  const entries = ["--directory", layout, "blobs", "index.json", "oci-layout"];
  await run(["tar", "--create", "--file", archive, ...reproducible(source.time), ...entries]);
  await rm(layout, { recursive: true });
  return archive;
}

interface Place {
  readonly executable: string;
  readonly layout: string;
  readonly work: string;
}

/** Writes layer, configuration and manifest of one system. */
async function writeImage(source: Source, target: Target, { executable, layout, work }: Place): Promise<Descriptor> {
  const files = await downloadDebianFiles(debianArch[target.arch], join(work, "debian"));
  const root = join(work, "root");
  await writeRoot(root, executable, files);
  const layer = await packLayer(source, root, work);
  const blob = await writeLayer(layout, layer.compressed);
  const config = await writeJson(layout, type("config.v1+json"), configuration(source, target, files, layer.diffId));
  return await writeJson(layout, type("manifest.v1+json"), {
    schemaVersion: 2,
    mediaType: type("manifest.v1+json"),
    config,
    layers: [blob],
    annotations: annotations(source),
  });
}

async function writeRoot(root: string, executable: string, { libraries, certificates, copyrights }: DebianFiles) {
  await rm(root, { recursive: true, force: true });
  await cp(executable, await parent(join(root, "satchel")));
  for (const [path, from] of [...libraries, ...copyrights]) await cp(from, await parent(join(root, path)));
  await Bun.write(join(root, "etc/ssl/certs/ca-certificates.crt"), certificates);
  for (const folder of ["data", "tmp"]) await mkdir(join(root, folder));
}

async function parent(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  return path;
}

/** Packs the root, in which /data belongs to the user, and everything else to root. */
async function packLayer(source: Source, root: string, work: string) {
  // The kernel starts the executable by its loader, which is one of the libraries.
  const libraries = await Array.fromAsync(new Bun.Glob("lib*/**/*").scan(root));
  await normalize(root, source.time, ["satchel", ...libraries]);
  await chmod(join(root, "tmp"), 0o1777);
  await chmod(join(root, "data"), 0o700);
  const layer = join(work, "layer.tar");
  const names = (await readdir(root)).filter((name) => name !== "data").sort();
  await run(["tar", "--create", "--file", layer, ...reproducible(source.time), "--directory", root, ...names]);
  const owned = reproducible(source.time).map((word) => word.replace(/^(--owner|--group)=0$/, `$1=${USER}`));
  await run(["tar", "--append", "--file", layer, ...owned, "--directory", root, "data"]);
  const diffId = await digestOf(layer);
  await run(["gzip", "--no-name", "--force", layer]);
  await rm(root, { recursive: true });
  return { diffId, compressed: `${layer}.gz` };
}

function configuration(source: Source, target: Target, files: DebianFiles, diffId: string) {
  const created = new Date(source.time * 1000).toISOString();
  return {
    created,
    architecture: debianArch[target.arch],
    os: "linux",
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { "8787/tcp": {} },
      Env: ["DATA_DIR=/data", "HOST=0.0.0.0"],
      Entrypoint: ["/satchel"],
      Volumes: { "/data": {} },
      WorkingDir: "/",
      StopSignal: "SIGTERM",
      // An extension of Docker and Podman; times are nanoseconds.
      Healthcheck: { Test: ["CMD", "/satchel", "healthcheck"], Interval: 10e9, Timeout: 10e9 },
      Labels: { ...annotations(source), ...files.versions },
    },
    rootfs: { type: "layers", diff_ids: [diffId] },
    history: [{ created, created_by: "satchel, libc6, ca-certificates" }],
  };
}

const annotations = ({ version, commit, time }: Source) => ({
  "org.opencontainers.image.title": "Satchel",
  "org.opencontainers.image.version": version,
  "org.opencontainers.image.revision": commit,
  "org.opencontainers.image.created": new Date(time * 1000).toISOString(),
  "org.opencontainers.image.licenses": "MIT",
});

async function writeJson(layout: string, mediaType: string, value: unknown): Promise<Descriptor> {
  const text = JSON.stringify(value);
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  await Bun.write(join(layout, "blobs", digest.replace(":", "/")), text);
  return { mediaType, digest, size: Buffer.byteLength(text) };
}

async function writeLayer(layout: string, path: string): Promise<Descriptor> {
  const digest = await digestOf(path);
  const { size } = await stat(path);
  await rename(path, join(layout, "blobs/sha256", basename(digest.replace(":", "/"))));
  return { mediaType: type("layer.v1.tar+gzip"), digest, size };
}

async function digestOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return `sha256:${hash.digest("hex")}`;
}
