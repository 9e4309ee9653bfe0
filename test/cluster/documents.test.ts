import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The files of deploy/, as far as they can be tried without their surroundings. */

const read = (name: string): Promise<string> => Bun.file(join(root, "deploy", name)).text();

const config = await Bun.file(join(root, "src/config.ts")).text();
const firstStorage = await Bun.file(join(root, "src/first-storage.ts")).text();

async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [said, trouble] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return `${await child.exited} ${said}${trouble}`;
}

/** Names that look like settings of ours. */
const isRead = (name: string): boolean => {
  const plain = name.replace(/_FILE$/, "");
  return [config, firstStorage].some(
    (source) => source.includes(`given("${plain}")`) || source.includes(`secret("${plain}")`),
  );
};

test("the settings of a server among many are read", async () => {
  const names = [...(await read("satchel.env")).matchAll(/^(\w+)=/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !isRead(name))).toEqual([]);
});

test("the unit is one that systemd takes, and names settings that are read", async () => {
  using folder = temporaryFolder();
  const text = await read("satchel.service");
  const unit = join(folder.path, "satchel.service");
  // The program is not there.
  await Bun.write(unit, text.replace("/usr/local/bin/satchel", "/bin/true"));
  expect(await run("systemd-analyze", "verify", "--man=no", unit)).toBe("0 ");
  // Of 10, where 10 is a service that may do anything.
  expect(await run("systemd-analyze", "security", "--offline=true", "--threshold=20", unit)).toStartWith("0 ");
  const [, names = ""] = /^Environment=(.*)$/m.exec(text) ?? [];
  expect(
    names
      .split(" ")
      .map((pair) => pair.split("=")[0] ?? "")
      .filter((name) => !isRead(name)),
  ).toEqual([]);
});

test.each(["compose.yaml", "compose-cluster.yaml"])(
  "%s is YAML, and its services name settings that are read, secrets and volumes that are there",
  async (file) => {
    const compose = Bun.YAML.parse(await read(file)) as {
      readonly services: Readonly<
        Record<
          string,
          { secrets?: string[]; volumes?: string[]; environment?: Record<string, string>; depends_on?: string[] }
        >
      >;
      readonly secrets: Readonly<Record<string, { file: string }>>;
      readonly volumes: Readonly<Record<string, unknown>>;
    };
    const { services, secrets, volumes } = compose;
    expect(Object.keys(services.satchel?.environment ?? {}).filter((name) => !isRead(name))).toEqual([]);
    for (const service of Object.values(services)) {
      expect(service.secrets?.filter((name) => secrets[name] === undefined) ?? []).toEqual([]);
      expect(service.depends_on?.filter((name) => services[name] === undefined) ?? []).toEqual([]);
      const named = service.volumes?.map((one) => one.split(":")[0] ?? "").filter((one) => !one.startsWith("./")) ?? [];
      expect(named.filter((name) => !(name in volumes))).toEqual([]);
      const files = Object.entries(service.environment ?? {}).filter(([name]) => name.endsWith("_FILE"));
      expect(files.filter(([, path]) => !service.secrets?.includes(path.replace("/run/secrets/", "")))).toEqual([]);
    }
  },
);

test("Patroni's file is YAML and holds synchronous replication, and HAProxy takes its own, which names settings that are read", async () => {
  const patroni = Bun.YAML.parse(await read("patroni.yml")) as {
    readonly bootstrap: { readonly dcs: Readonly<Record<string, unknown>> };
  };
  expect(patroni.bootstrap.dcs.synchronous_mode).toBe(true);
  const names = [...(await read("haproxy.cfg")).matchAll(/DATABASE_\w+/g)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !isRead(name))).toEqual([]);
  expect(await run("/usr/sbin/haproxy", "-c", "-f", join(root, "deploy/haproxy.cfg"))).toStartWith("0 ");
});

test("the file of PgBouncer names settings that are read", async () => {
  const names = [...(await read("pgbouncer.ini")).matchAll(/DATABASE_\w+/g)].map(([name]) => name);
  expect(names).toContain("DATABASE_DIRECT_URL");
  expect(names.filter((name) => !isRead(name))).toEqual([]);
});

test("the Deployment is YAML and names settings that are read", async () => {
  interface Resource {
    readonly kind: string;
    readonly stringData?: Readonly<Record<string, string>>;
    readonly spec?: {
      readonly template?: {
        readonly spec: { readonly containers: readonly { readonly env: readonly { readonly name: string }[] }[] };
      };
    };
  }
  const resources = Bun.YAML.parse(await read("kubernetes.yaml")) as readonly Resource[];
  expect(resources.map(({ kind }) => kind)).toEqual(["Secret", "Deployment", "Service"]);
  const names = resources.flatMap(({ stringData, spec }) => [
    ...Object.keys(stringData ?? {}),
    ...(spec?.template?.spec.containers.flatMap(({ env }) => env.map(({ name }) => name)) ?? []),
  ]);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !isRead(name))).toEqual([]);
});

test("what the Dockerfile gathers is all that a program needs, with a folder for its user", async () => {
  using folder = temporaryFolder();
  const image = join(folder.path, "image");
  const [, script = ""] = /^RUN (mkdir [\s\S]+?)\n\n/m.exec(await read("Dockerfile")) ?? [];
  const program = Bun.which("cat") ?? "";
  // A program that is as good as the executable, which needs more time to be built.
  const said = await run("sh", "-c", script.replaceAll("/image", image).replaceAll(" /satchel", ` ${program}`));
  expect(said).toBe("0 ");
  expect(await run("stat", "-c", "%u:%g %a", join(image, "data"))).toBe("0 65532:65532 700\n");
  expect(
    await run("chroot", "--userspec=65532:65532", image, "/satchel", "/etc/ssl/certs/ca-certificates.crt"),
  ).toContain("BEGIN CERTIFICATE");
});

test("Caddy takes its file", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "Caddyfile");
  mkdirSync(join(folder.path, "data"));
  await Bun.write(file, (await read("Caddyfile")).replace("share.example", "http://share.example"));
  const said = await run("env", `HOME=${folder.path}`, "caddy", "validate", "--adapter", "caddyfile", "--config", file);
  expect(said).toStartWith("0 ");
  expect(said).toContain("Valid configuration");
});
