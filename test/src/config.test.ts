import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, readConfig } from "../../src/config.ts";
import { STORAGE_WANTED } from "../../src/first-storage.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const problemsOf = (args: readonly string[], environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(args, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("configuration", () => {
  test("has a default for everything", () => {
    const { command, config } = readConfig([], {});
    expect(command).toBe("serve");
    expect(config).toMatchObject({
      port: 8787,
      host: "127.0.0.1",
      dataDir: "./data",
      adminUsername: "admin",
      adminPassword: undefined,
      logLevel: "info",
      synchronous: "NORMAL",
      shutdownSeconds: 10,
    });
  });

  test("the command line wins over the environment, and an empty variable counts as none", () => {
    const { config } = readConfig(["serve", "--port", "9000", "--data", "/srv"], {
      PORT: "1",
      DATA_DIR: "/x",
      HOST: "",
    });
    expect(config).toMatchObject({ port: 9000, dataDir: "/srv", host: "127.0.0.1" });
  });

  test("a file that --env names sets what the environment does not", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "satchel.env");
    writeFileSync(file, "# Satchel\nPORT=9000\nHOST=0.0.0.0\nexport ADMIN_USERNAME='a b'\nDATA_DIR=/from-the-file\n");
    const { config } = readConfig(["--env", file, "--data", "/srv"], { HOST: "127.0.0.2", PORT: "" });
    expect(config).toMatchObject({ port: 9000, host: "127.0.0.2", adminUsername: "a b", dataDir: "/srv" });
    writeFileSync(file, "PORT=loud");
    expect(problemsOf(["--env", file], {})).toEqual(["PORT (--port) must be a port from 0 to 65535."]);
    writeFileSync(file, `X=${"x".repeat(65_536)}`);
    expect(problemsOf(["--env", file], {})).toEqual(["--env names a file that cannot be used: it is too large."]);
    expect(problemsOf(["--env", join(folder.path, "none")], {})[0]).toContain("--env names a file that cannot be used");
  });

  test("a variable whose name is nearly that of another is told, without its value", () => {
    const misspeltIn = (environment: Record<string, string>) =>
      readConfig([], environment).config.misspelt.map(({ name, meant }) => `${name} ${meant}`);
    const secret = "correct-horse-battery";
    const typed = { PUBLC_URL: "https://a.example", DATABSE_URL: secret, SECRET_KYE: secret, log_level: "debug" };
    expect(misspeltIn(typed)).toEqual([
      "PUBLC_URL PUBLIC_URL",
      "DATABSE_URL DATABASE_URL",
      "SECRET_KYE SECRET_KEY",
      "log_level LOG_LEVEL",
    ]);
    expect(misspeltIn({ ADMIN_PASSWORD_FLE: "/run/secret", FOLDER: "/srv" })).toEqual([
      "ADMIN_PASSWORD_FLE ADMIN_PASSWORD_FILE",
      "FOLDER FOLDERS",
    ]);
    expect(problemsOf(["--port", "loud"], typed).at(2)).toBe(
      "The variable DATABSE_URL is not read: DATABASE_URL seems to be meant.",
    );
    expect(problemsOf(["--port", "loud"], typed).join()).not.toContain(secret);
    // What systems, shells and other programs set.
    const others =
      "HOME HOSTNAME HOSTTYPE HOSTS SORT COST PORTS POST PATH SHELL TERM LANG LC_ALL TMPDIR TEMP USER LOGNAME PWD OLDPWD MAIL DISPLAY EDITOR SSH_AUTH_SOCK SOCKETS_DIR XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR R2_BUCKET B2_BUCKET R2_ENDPOINT R2_ACCESS_KEY_ID AWS_ENDPOINT_URL_S3 AWS_DEFAULT_REGION AWS_PROFILE AWS_SESSION_TOKEN AWS_SECRET_KEY SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASS SMTP_PASSWORD DATABASE_HOST DATABASE_NAME DATABASE_PORT DATABASE_USER SECRET_KEY_BASE PGHOST PGPORT REDIS_URL NODE_ENV BUN_INSTALL MANPATH LOGFILE DATADIR_ROOT MAX_UPLOAD_SIZE KUBERNETES_PORT SATCHEL_PORT SATCHEL_SERVICE_HOST INVOCATION_ID JOURNAL_STREAM LISTEN_FDS";
    expect(misspeltIn(Object.fromEntries(others.split(" ").map((name) => [name, "x"])))).toEqual([]);
    // Set beside the right one it is somebody else's.
    expect(misspeltIn({ PUBLIC_URL: "https://a.example", PUBLIC_URI: "x" })).toEqual([]);
  });

  test("the address of the source is one of the web", () => {
    expect(readConfig([], { SOURCE_URL: "https://code.example/x" }).config.sourceUrl).toBe("https://code.example/x");
    expect(problemsOf([], { SOURCE_URL: "javascript:alert(1)" })).toEqual([
      "SOURCE_URL must be an http or https address.",
    ]);
  });

  test("a bad start names every bad value at once and repeats no secret", () => {
    const problems = problemsOf(["--host"], {
      PORT: "70000",
      ADMIN_PASSWORD: "hunter2",
      ADMIN_USERNAME: "a:b",
      SECRET_KEY: "tooshort",
      PUBLIC_URL: "satchel.example/path",
      BASE_PATH: "satchel",
      TRUSTED_PROXIES: "10.0.0.0/8, 10.0.0.0/33, everyone",
      LOG_LEVEL: "loud",
      DB_SYNCHRONOUS: "OFF",
      SHUTDOWN_SECONDS: "-1",
    });
    const text = problems.join("\n");
    for (const name of [
      "--host",
      "PORT",
      "ADMIN_PASSWORD",
      "ADMIN_USERNAME",
      "SECRET_KEY",
      "PUBLIC_URL",
      "BASE_PATH",
      "10.0.0.0/33, everyone",
      "LOG_LEVEL",
      "DB_SYNCHRONOUS",
      "SHUTDOWN_SECONDS",
    ]) {
      expect(text).toContain(name);
    }
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("tooshort");
  });

  test("a host is an address or a name, and never has the port in it", () => {
    for (const host of ["0.0.0.0", "::", "[::1]", "localhost", "share-1.example"])
      expect(readConfig([], { HOST: host, METRICS_HOST: host }).config.host).toBe(host);
    const wanted = "must be an address or a name without a port, as in 0.0.0.0.";
    for (const host of ["localhost:8787", "0.0.0.0:80", "http://share.example", "a b"])
      expect(problemsOf([], { HOST: host, METRICS_HOST: host })).toEqual([
        `HOST (--host) ${wanted}`,
        `METRICS_HOST ${wanted}`,
      ]);
  });

  test("a certificate comes with its key, and for a port", () => {
    const files = { TLS_CERT_FILE: "/a.pem", TLS_KEY_FILE: "/a.key" };
    expect(readConfig([], files).config.tls).toEqual({ cert: "/a.pem", key: "/a.key" });
    expect(problemsOf([], { TLS_CERT_FILE: "/a.pem" })).toEqual([
      "TLS_CERT_FILE and TLS_KEY_FILE must be set together.",
    ]);
    expect(problemsOf([], { ...files, SOCKET: "/run/a.sock" })).toEqual([
      "TLS_CERT_FILE is for HOST and PORT; a proxy at SOCKET needs none.",
    ]);
  });

  test("secrets come from files too, without the end of their line, and never from both", () => {
    using folder = temporaryFolder();
    const file = (name: string, text: string) => {
      const path = join(folder.path, name);
      writeFileSync(path, text);
      return path;
    };
    const { config } = readConfig([], {
      SECRET_KEY_FILE: file("secret", "a secret of enough letters\n"),
      ADMIN_PASSWORD_FILE: file("password", " correct horse \r\n"),
      DATABASE_URL_FILE: file("url", "postgres://u:p@h/d"),
    });
    expect(config).toMatchObject({
      secretKey: "a secret of enough letters",
      adminPassword: " correct horse ",
      databaseUrl: "postgres://u:p@h/d",
    });
    const problems = problemsOf([], {
      SECRET_KEY: "a secret of enough letters",
      SECRET_KEY_FILE: join(folder.path, "secret"),
      ADMIN_PASSWORD_FILE: join(folder.path, "nothing"),
      METRICS_TOKEN_FILE: file("empty", "\n"),
      DATABASE_URL_FILE: file("large", "x".repeat(100_000)),
    });
    expect(problems).toEqual([
      expect.stringContaining("DATABASE_URL_FILE names a file that cannot be used: it is too large"),
      expect.stringContaining("ADMIN_PASSWORD_FILE names a file that cannot be used"),
      "Only one of SECRET_KEY and SECRET_KEY_FILE may be set.",
      "METRICS_TOKEN_FILE names a file that cannot be used: it is empty.",
    ]);
  });

  describe("with DATABASE_URL", () => {
    const DATABASE_URL = "postgres://u:p@h/d";
    const SECRET_KEY = "a secret of enough letters";
    const s3 = {
      S3_ENDPOINT: "https://s3.example:9000",
      S3_BUCKET: "files",
      S3_ACCESS_KEY_ID: "somebody",
      S3_SECRET_ACCESS_KEY: "hunter2",
    };

    test("one message names all that is missing", () => {
      expect(problemsOf([], { DATABASE_URL })).toEqual([
        "SECRET_KEY must be set with DATABASE_URL, to the same text on every server.",
        STORAGE_WANTED,
      ]);
      const partly = problemsOf([], { DATABASE_URL, S3_ENDPOINT: "s3.example", S3_ACCESS_KEY_ID_FILE: "/nothing" });
      expect(partly).toEqual([
        expect.stringContaining("S3_ACCESS_KEY_ID_FILE names a file that cannot be used"),
        "S3_BUCKET must be set with the others of S3_.",
        "S3_SECRET_ACCESS_KEY must be set with the others of S3_.",
        "S3_ENDPOINT must be an http or https address.",
        "SECRET_KEY must be set with DATABASE_URL, to the same text on every server.",
      ]);
    });

    test("a standby is an address of the same kind, and one of a database", () => {
      const standby = "postgres://u:p@h2/d";
      const { config } = readConfig([], { DATABASE_URL, DATABASE_READ_URL: standby, SECRET_KEY, ...s3 });
      expect(config.databaseReadUrl).toBe(standby);
      expect(config.databaseSessionUrl).toBe(DATABASE_URL);
      const pooled = readConfig([], { DATABASE_URL, DATABASE_DIRECT_URL: standby, SECRET_KEY, ...s3 });
      expect(pooled.config.databaseSessionUrl).toBe(standby);
      expect(problemsOf([], { DATABASE_DIRECT_URL: standby })).toEqual([
        "DATABASE_DIRECT_URL leads past the pooler that DATABASE_URL names, which is not set.",
      ]);
      expect(problemsOf([], { DATABASE_READ_URL: standby })).toEqual([
        "DATABASE_READ_URL is a standby of the PostgreSQL that DATABASE_URL names, which is not set.",
      ]);
      expect(problemsOf([], { DATABASE_URL, DATABASE_READ_URL: "mysql://u:p@h/d", SECRET_KEY, ...s3 })).toEqual([
        expect.stringContaining("DATABASE_READ_URL must be the address of a database"),
      ]);
    });

    test("the storage of the first start has the provider of its address, and no limit", () => {
      const { firstStorage } = readConfig([], { DATABASE_URL, SECRET_KEY, ...s3 }).config;
      expect(firstStorage).toMatchObject({
        provider_type: "Other",
        endpoint_url: "https://s3.example:9000",
        bucket_name: "files",
        path_style: true,
        is_default: true,
        total_storage_bytes: 0,
      });
      const aws = { ...s3, S3_ENDPOINT: "https://s3.eu-central-1.amazonaws.com", S3_REGION: "eu-central-1" };
      expect(readConfig([], { DATABASE_URL, SECRET_KEY, ...aws }).config.firstStorage).toMatchObject({
        provider_type: "AWS S3",
        region: "eu-central-1",
        path_style: false,
      });
      expect(readConfig([], { DATABASE_URL, SECRET_KEY }).config.firstStorage).toBeUndefined();
    });

    test("without it S3_ENDPOINT and its like are not read, as other programs have them too", () => {
      expect(readConfig([], { S3_ENDPOINT: "nonsense" }).config.firstStorage).toBeUndefined();
    });
  });

  test("webhooks reach named networks, and mail goes to a named server", () => {
    const none = readConfig([], {}).config.webhooks;
    expect([none.networks.isEmpty, none.mailServer]).toEqual([true, undefined]);
    const from = { SMTP_FROM: "Satchel <satchel@host.example>", WEBHOOK_NETWORKS: "192.168.1.0/24, fd12::/16" };
    const server = (SMTP_URL: string) => readConfig([], { SMTP_URL, ...from }).config.webhooks;
    expect(server("smtps://a%40b:p%2Fw@mail.example").mailServer).toEqual({
      ...{ host: "mail.example", port: 465, tls: "implicit", user: "a@b", password: "p/w" },
      from: "Satchel <satchel@host.example>",
    });
    expect(server("smtp://me:pw@mail.example").mailServer).toMatchObject({ port: 587, tls: "required" });
    expect(server("smtp://[::1]:25").mailServer).toMatchObject({ host: "::1", port: 25, tls: "optional" });
    expect(server("smtp://relay:2525?tls=none").mailServer).toMatchObject({ tls: "none", user: undefined });
    const { networks } = server("smtp://relay");
    expect(["192.168.1.7", "fd12::1", "192.168.2.7"].map(networks.has)).toEqual([true, true, false]);
    expect(problemsOf([], { SMTP_URL: "smtp://relay" })).toEqual([
      "SMTP_URL needs SMTP_FROM, the address that mail comes from.",
    ]);
    const wrong = [
      "http://mail.example",
      "smtp://",
      "smtp://a/path",
      "smtp://a?tls=maybe",
      "smtp://a?x=1",
      "smtp://a:%zz@b",
    ];
    for (const SMTP_URL of wrong) {
      const [problem = "", ...more] = problemsOf([], { SMTP_URL, SMTP_FROM: "a@b.example" });
      expect([problem.startsWith("SMTP_URL must be the address of a mail server"), more]).toEqual([true, []]);
      expect(problem).not.toContain("%zz");
    }
    expect(problemsOf([], { SMTP_FROM: "a@b\r\nBcc: c@d", WEBHOOK_NETWORKS: "home" })).toEqual([
      "SMTP_FROM must be an address of mail.",
      "WEBHOOK_NETWORKS must be addresses or networks: home is none.",
    ]);
  });

  test("metrics are off until they have a port or a token", () => {
    expect(readConfig([], {}).config.metrics).toEqual({ port: undefined, host: "127.0.0.1", token: undefined });
    const given = { METRICS_PORT: "9100", METRICS_HOST: "0.0.0.0", METRICS_TOKEN: "a token of enough letters" };
    expect(readConfig([], given).config.metrics).toEqual({
      port: 9100,
      host: "0.0.0.0",
      token: "a token of enough letters",
    });
    expect(problemsOf([], { METRICS_PORT: "x", METRICS_TOKEN: "short" })).toEqual([
      "METRICS_PORT must be a port from 0 to 65535.",
      "METRICS_TOKEN must be at least 16 characters.",
    ]);
  });

  test.each([
    [["admin", "reset"], "admin reset"],
    [["--help"], "help"],
    [["--version"], "version"],
    [["verify", "--help"], "help"],
    [["serve", "--port", "loud", "--help"], "help"],
    [["serve"], "serve"],
  ] as const)("%p is %s", (args, command) => expect(readConfig(args, {}).command).toBe(command));

  test.each([[["dance"]], [["constructor"]], [["admin"]], [["serve", "twice"]], [["--loud"]]])(
    "%p is refused",
    (args) => {
      expect(problemsOf(args, {}).length).toBeGreaterThan(0);
    },
  );

  test.each(["http://localhost:8787", "https://share.example"])("PUBLIC_URL %s is an origin", (PUBLIC_URL) => {
    expect(readConfig([], { PUBLIC_URL }).config.publicUrl).toBe(PUBLIC_URL);
  });

  test.each([
    [{}, "", undefined],
    [{ BASE_PATH: "" }, "", undefined],
    [{ BASE_PATH: "/" }, "", undefined],
    [{ BASE_PATH: "/satchel" }, "/satchel", undefined],
    [{ BASE_PATH: "/a/b.c-d_e~f" }, "/a/b.c-d_e~f", undefined],
    [{ PUBLIC_URL: "https://host.example/" }, "", "https://host.example"],
    [{ PUBLIC_URL: "https://host.example/a/" }, "/a", "https://host.example/a"],
    [{ PUBLIC_URL: "https://host.example", BASE_PATH: "/a" }, "/a", "https://host.example/a"],
    [{ PUBLIC_URL: "https://host.example/a", BASE_PATH: "/a" }, "/a", "https://host.example/a"],
  ] as const)("the base path of %j is %p", (environment, basePath, publicUrl) => {
    expect(readConfig([], environment).config).toMatchObject({ basePath, publicUrl });
  });

  test.each(
    "satchel|/satchel/|//satchel|/a//b|/a/../b|/.|/..|/a b|/%61|/a?b|/a#b|/数|/a\\b|/a\nb|https://a.test/b".split("|"),
  )("%j is no base path", (BASE_PATH) => {
    expect(problemsOf([], { BASE_PATH })).toEqual([expect.stringContaining("BASE_PATH must be a path as in /satchel")]);
  });

  test("a base path has an end, and is that of PUBLIC_URL", () => {
    expect(problemsOf([], { BASE_PATH: `/${"a".repeat(127)}` })).toEqual([]);
    expect(problemsOf([], { BASE_PATH: `/${"a".repeat(128)}` })).toHaveLength(1);
    expect(problemsOf([], { PUBLIC_URL: "https://host.example/a", BASE_PATH: "/b" })).toEqual([
      "PUBLIC_URL ends in /a, and BASE_PATH is /b: they must name the same path.",
    ]);
    expect(problemsOf([], { PUBLIC_URL: "https://host.example/a", BASE_PATH: "/" })).toHaveLength(1);
    for (const PUBLIC_URL of ["https://host.example/a%20b", "https://host.example/a/../b?c", "https://host.example//a"])
      expect(problemsOf([], { PUBLIC_URL })).toHaveLength(1);
  });
});
