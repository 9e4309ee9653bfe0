import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "../../src/config.ts";

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

  test.each([
    [["admin", "reset"], "admin reset"],
    [["--help"], "help"],
    [["--version"], "version"],
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
});
