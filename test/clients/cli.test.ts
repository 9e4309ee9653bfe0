import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sealFile } from "../../web/sealed/seal.ts";
import { openWorkshop } from "../support/clients/programs.ts";
import { startShell } from "../support/clients/typing.ts";
import { keyAt } from "../support/make-key.ts";
import { breakingWay } from "../support/proxies/breaking-way.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** The program for terminals that the server hands out, in the shells of Debian. */

const server: TestServer = await startServer({ environment: { BASE_PATH: "/shared" } });
const shop = openWorkshop();
const script = join(shop.path, "satchel");
let key = "";
afterAll(async () => {
  await server.stop();
  shop[Symbol.dispose]();
});

beforeAll(async () => {
  key = await keyAt(server);
  await shop.done(["curl", "-fsS", `${server.address}/cli`, "-o", script]);
  await Bun.write(`${shop.path}/a.txt`, "hello\n");
  await Bun.write(`${shop.path}/my dir/f ü.txt`, "in a folder\n");
});

test("shellcheck has nothing to say, and it is short", async () => {
  expect(await shop.done(["shellcheck", "-s", "sh", script])).toBe("");
  expect(readFileSync(script, "utf8").split("\n").length).toBeLessThan(165);
  expect(readFileSync(script, "utf8")).toContain(`host=\${SATCHEL_HOST:-'${server.address}'}`);
});

describe.each([[["dash"]], [["bash"]], [["busybox", "sh"]]] as const)("%p", (shell) => {
  const home = join(shop.path, shell.join("-"));
  const environment = { HOME: home, XDG_CONFIG_HOME: home };
  const run = (
    words: readonly string[],
    more: { stdin?: string; cwd?: string; password?: string; host?: string } = {},
  ) =>
    shop.run([...shell, script, ...words], {
      environment: {
        ...environment,
        ...(more.password !== undefined && { SATCHEL_PASSWORD: more.password }),
        ...(more.host !== undefined && { SATCHEL_HOST: more.host }),
      },
      ...(more.cwd !== undefined && { cwd: more.cwd }),
      ...(more.stdin !== undefined && { stdin: more.stdin }),
    });
  const line = async (...input: Parameters<typeof run>) => {
    const { code, text } = await run(...input);
    expect({ code, text }).toMatchObject({ code: 0 });
    return text.trim();
  };
  const read = (address: string) => shop.done(["curl", "-fsS", address]);

  test("keeps a key for its owner alone, and uses none that others can read", async () => {
    expect(await run(["key"], { stdin: "\n" })).toMatchObject({ code: 1 });
    await line(["key"], { stdin: `${key}\n` });
    const file = join(home, "satchel/key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o640);
    expect((await run(["ls"])).text).toContain("others can read");
    chmodSync(file, 0o600);
  });

  test("shares files, folders and what comes from a pipe", async () => {
    const [file, folder] = (await line(["up", "a.txt", "my dir", "-e", "2h"])).split("\n");
    expect(await read(file ?? "")).toBe("hello\n");
    await shop.done(["sh", "-c", 'curl -fsS "$0" | tar -xzf - -C "$1"', folder ?? "", shop.folder(`out-${shell[0]}`)]);
    expect(readFileSync(join(shop.path, `out-${shell[0]}/my dir/f ü.txt`), "utf8")).toBe("in a folder\n");
    const piped = await line(["up", "-", "-n", 'na"me\\.txt'], { stdin: "piped" }).catch((error) => String(error));
    expect(piped).toContain("A file name has");
    const named = await line(["up", "-", "-n", 'na"me é.txt'], { stdin: "piped" });
    expect(await read(named)).toBe("piped");
    expect(await line(["ls"])).toContain(`${named}\t5\t-\tna"me é.txt`);
  });

  test("shares files that are called as pages are, and says plainly what is refused", async () => {
    for (const name of ["sw.js", "admin", " 100% #ü?.txt"]) {
      await Bun.write(`${shop.path}/${name}`, `in ${name}`);
      const link = await line(["up", name]);
      expect(await read(link)).toBe(`in ${name}`);
      expect(await line(["ls"])).toContain(`${link}\t${Buffer.byteLength(`in ${name}`)}\t-\t${name}`);
    }
    expect(await run(["in", "/none"])).toMatchObject({ code: 1, text: "satchel: No mount exists at this path.\n" });
  });

  test("seals what it shares: only who has the whole link reads it", async () => {
    const cwd = shop.folder(`sealed-${shell[0]}`);
    await Bun.write(`${shop.path}/large ü.bin`, new Uint8Array(17_000_000).fill(7));
    const [file = "", large = "", piped = ""] = [
      ...(await line(["up", "--seal", "a.txt", "large ü.bin"])).split("\n"),
      await line(["up", "-", "--seal", "-n", 'pay "roll.txt'], { stdin: "piped" }),
    ];
    const text = await line(["text", "sealed words", "--seal", "-v", "1"]);
    for (const link of [file, large, piped, text]) {
      expect(link).toMatch(/\/s\/\w+#AGE-SECRET-KEY-1[A-Z0-9]{58}$/);
      const [address = "", key = ""] = link.split("#");
      if (link === text) continue;
      await shop.done(["sh", "-c", 'printf %s "$1" >"$2/key"; curl -fso "$2/f" "$0?raw"', address, key, cwd]);
      expect(await Bun.file(join(cwd, "f")).text()).toStartWith("age-encryption.org/v1\n");
      expect((await shop.run(["age", "-d", "-i", join(cwd, "key"), "-o", join(cwd, "g"), join(cwd, "f")])).code).toBe(
        0,
      );
    }
    expect(await line(["get", file], { cwd })).toBe("");
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("hello\n");
    expect(await run(["get", file], { cwd })).toMatchObject({
      code: 0,
      text: "satchel: there is a file a.txt, so this one is a.txt.2\n",
    });
    expect(readFileSync(join(cwd, "a.txt.2"), "utf8")).toBe("hello\n");
    await line(["get", large], { cwd });
    expect(statSync(join(cwd, "large ü.bin")).size).toBe(17_000_000);
    // Its one view is there still.
    expect((await run(["get", text.slice(0, -1)], { cwd })).text).toContain("the key of this link is not whole");
    await line(["get", text], { cwd });
    expect(readFileSync(join(cwd, "text.txt"), "utf8")).toBe("sealed words");
    expect((await run(["get", text], { cwd })).code).not.toBe(0);
    const listed = await line(["ls"]);
    expect(listed).toContain("sealed.age");
    expect(listed).not.toContain("pay");
    expect((await run(["up", "--seal", "-q", "a.txt"])).text).toContain("neither -p nor -q");
    await line(["rm", piped]);
    expect((await shop.run(["curl", "-fsS", `${piped.split("#")[0]}?raw`])).code).not.toBe(0);
  });

  test("gives no key to who lists processes, and no name or half a file to who gets it", async () => {
    const cwd = shop.folder(`hostile-${shell[0]}`);
    await Bun.write(`${cwd}/-rf`, "of -rf");
    await Bun.write(`${cwd}/large`, new Uint8Array(300_000));
    await shop.done(["mkdir", join(cwd, "folder"), join(cwd, "out"), join(cwd, "bin")]);
    const spied = join(cwd, "words");
    for (const name of ["sed", "curl", "grep", "tr"]) {
      const real = Bun.which(name) ?? name;
      await Bun.write(`${cwd}/bin/${name}`, `#!/bin/sh\necho "$*" >>'${spied}'\nexec ${real} "$@"\n`);
      chmodSync(join(cwd, "bin", name), 0o755);
    }
    const spy = ["env", `PATH=${join(cwd, "bin")}:${process.env.PATH}`];
    const made = await shop.run([...spy, ...shell, script, "up", "--seal", "--", "folder", "-rf", "large"], {
      environment,
      cwd,
    });
    expect(made).toMatchObject({ code: 0 });
    const [, dashed = "", large = ""] = made.text.trim().split("\n");
    expect(readFileSync(spied, "utf8")).not.toContain("AGE-SECRET-KEY-");
    const out = join(cwd, "out");
    await line(["get", dashed], { cwd: out });
    expect(readFileSync(join(out, "sealed"), "utf8")).toBe("of -rf");
    using half = Bun.serve({
      port: 0,
      async fetch({ url }) {
        const { pathname, search } = new URL(url);
        const answer = await fetch(new URL(pathname + search, server.address), { headers: { "user-agent": "curl/8" } });
        return new Response((await answer.bytes()).slice(0, 200_000), { headers: answer.headers });
      },
    });
    const { code } = await run(["get", large.replace(new URL(server.address).origin, half.url.origin)], { cwd: out });
    expect([code, existsSync(join(out, "large"))]).toEqual([1, false]);
  });

  test("shares the very file that is named, whatever curl would make of its name", async () => {
    const cwd = shop.folder(`named-${shell[0]}`);
    for (const name of ["report[1].txt", "{secret,secret}", "secret"]) await Bun.write(`${cwd}/${name}`, `of ${name}`);
    const [report, braces] = (await line(["up", "report[1].txt", "{secret,secret}"], { cwd })).split("\n");
    expect(await read(report ?? "")).toBe("of report[1].txt");
    expect(await read(braces ?? "")).toBe("of {secret,secret}");
  });

  test("goes on with a large file where its connection breaks", async () => {
    const bytes = Buffer.alloc(20_000_000, `of ${shell[0]}`);
    await Bun.write(`${shop.path}/large [1].bin`, bytes);
    using way = await breakingWay(server.address, { after: 7_000_000, times: 2 });
    const said = await line(["up", "large [1].bin", "-v", "3"], { host: way.address });
    const link = said.split("\n").find((one) => one.startsWith(`${way.address}/file/`)) ?? "";
    expect([link !== "", way.broken(), said.includes("goes on from")]).toEqual([true, 2, true]);
    const read = await fetch(link.replace(way.address, server.address), { headers: { "user-agent": "curl/8" } });
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await line(["ls"])).toContain("20000000\t-\tlarge [1].bin");
    expect((await run(["up", "large [1].bin", "-e", "soon"])).code).toBe(1);
  });

  test("shares texts, lists and deletes them", async () => {
    const words = await line(["text", "some", "words"]);
    expect(await read(words)).toBe("some words");
    const piped = await line(["-q", "text", "-v", "3"], { stdin: "from a pipe" });
    expect(piped).toMatch(/^http\S+\n\n[█▀▄ \n]+$/);
    expect(await line(["rm", words])).toBe("Deleted");
    expect(await run(["rm", words])).toMatchObject({ code: 1 });
    expect((await run(["rm", "https://elsewhere.example/paste/x"])).text).toContain("is not of");
  });

  test("saves a file under its own name, with a password that no command line has", async () => {
    const link = await line(["up", "a.txt"], { password: 'pä"ss' });
    const cwd = shop.folder(`get-${shell[0]}`);
    expect(await run(["get", link], { cwd })).toMatchObject({ code: 22 });
    await line(["get", link], { cwd, password: 'pä"ss' });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("hello\n");
    for (const name of ["报告 é 50%.txt", "总结 é 50%.txt"]) {
      await Bun.write(`${shop.path}/${name}`, name);
      await line(["get", await line(["up", name])], { cwd });
      expect(readFileSync(join(cwd, name), "utf8")).toBe(name);
    }
  });

  test("lets nobody who shares a file hide it, or put it in the place of another", async () => {
    const cwd = shop.folder(`chosen-${shell[0]}`);
    const names = [".bash_profile", "-rf", "plain.txt", "away"];
    const links = [];
    for (const name of names) {
      await Bun.write(`${shop.path}/shared`, `of ${name}`);
      links.push(await line(["up", "shared", "-n", name]));
    }
    const [hidden = "", option = "", plain = "", away = ""] = links;
    await Bun.write(join(cwd, "plain.txt"), "mine");
    symlinkSync(join(home, ".profile"), join(cwd, "away"));
    expect(await line(["get", hidden], { cwd })).toBe("satchel: this one is _.bash_profile here");
    expect(await line(["get", option], { cwd })).toBe("satchel: this one is _-rf here");
    expect(await line(["get", plain], { cwd })).toBe("satchel: there is a file plain.txt, so this one is plain.txt.2");
    await line(["get", away], { cwd });
    const expected = { "_.bash_profile": "of .bash_profile", "_-rf": "of -rf", "plain.txt": "mine" };
    expect(readdirSync(cwd).sort()).toEqual([...Object.keys(expected), "plain.txt.2", "away", "away.2"].sort());
    for (const [name, content] of Object.entries(expected)) expect(readFileSync(join(cwd, name), "utf8")).toBe(content);
    expect(statSync(join(cwd, "plain.txt.2")).mode & 0o700).toBe(0o600);
    expect(existsSync(join(home, ".profile"))).toBe(false);
  });

  test("says how to open what is sealed by a password", async () => {
    const cwd = shop.folder(`locked-${shell[0]}`);
    const lock = { password: "Vq7-nW2x-Lr9t-Zk4p" };
    const sealed = async (text: string) => {
      const file = await sealFile(new Blob([text]), lock);
      return await (await file.slice(0, file.size)).bytes();
    };
    const name = Buffer.from(await sealed('{"name":"plan.txt","type":"text/plain","kind":"text","size":6}'));
    const headers = { "x-api-key": key, "x-share-sealed": name.toString("base64") };
    const made = await fetch(`${server.address}/`, { method: "PUT", headers, body: await sealed("a plan") });
    const link = (await made.text()).trim();
    expect(link).toContain("/s/");
    const said = "sealed.age is sealed by a password, for which age asks: age -d -o OPENED SEALED";
    expect(await line(["get", link], { cwd })).toBe(`satchel: ${said}`);
    const open = ["script", "-qec", "age -d -o plan.txt sealed.age", "/dev/null"];
    await shop.done(open, { cwd, stdin: `${lock.password}\n` });
    expect(readFileSync(join(cwd, "plan.txt"), "utf8")).toBe("a plan");
    // What is encrypted to a key, or is no such file, has no password.
    await Bun.write(join(cwd, "note.txt"), "age-encryption.org/v1\n-> X25519 abc\n");
    expect(await line(["get", await line(["up", "note.txt"], { cwd })], { cwd })).not.toContain("password");
  });

  test("hands no command of a sealed name to the terminal", async () => {
    const cwd = shop.folder(`named-${shell[0]}`);
    const seal = `age-keygen -o key 2>/dev/null; printf x >x; age -e -i key -o sealed.age x
      printf '%s' '{"name":"a\\033[31mb1m","type":"text/plain","kind":"file","size":1}' | age -e -i key | base64 -w0 >name
      printf '%s#%s' "$(curl -sT sealed.age -H "X-API-KEY: $1" -H "X-Share-Sealed: $(cat name)" "$0/")" "$(grep ^AGE key)"`;
    const link = await shop.done(["sh", "-c", `cd "$2"; ${seal}`, server.address, key, cwd]);
    await line(["get", link], { cwd });
    const { text } = await run(["get", link], { cwd });
    expect(text).toBe("satchel: there is a file a\\033[31mb?1m, so this one is a\\033[31mb?1m.2\n");
  });

  test("hands no command of a server to the terminal", async () => {
    // A control of C1 in what is left when one is taken out, and letters of which such bytes are a part.
    const nested = Buffer.from([0xc2, 0xc2, 0x9b, 0x9b, 0xc2, 0x00, 0x9b]);
    const text = Buffer.concat([
      Buffer.from("a\u001b[2J\u001b]52;c;cm0=\u0007\tb\r\n\u0090q\u009b2Jé ü À 字 🚀\n"),
      nested,
    ]);
    using hostile = Bun.serve({
      port: 0,
      fetch: ({ url }) =>
        url.endsWith("/bad")
          ? new Response('{"message":"\u001b]0;owned\u0007no\u009d0;owned\u009c"}', { status: 404 })
          : new Response(text),
    });
    const { origin } = hostile.url;
    const said = (await run(["ls", `${origin}/s/list`])).text;
    expect(said).toStartWith("a[2J]52;c;cm0=\tb\n?q?2Jé ü À 字 🚀\n");
    expect(said).not.toMatch(/[\u0080-\u009f]/);
    expect((await run(["ls", `${origin}/bad`])).text).toBe("satchel: ]0;ownedno?0;owned?\n");
  });

  test("makes a link by which others send", async () => {
    const link = await line(["in", "/drive"]);
    await shop.done(["curl", "-fsS", "-T", `${shop.path}/a.txt`, `${link}/from-${shell[0]}.txt`]);
    expect(await line(["ls", link.replace("/in/", "/s/")]).catch(() => "refused")).toBe("refused");
  });

  test("says what is wrong", async () => {
    for (const [words, said] of [
      [["up", "nothing"], "there is no file nothing"],
      [["up"], "up needs"],
      [["up", "a.txt", "-e", "soon"], "The option expire"],
      [["up", "a.txt", "-x"], "there is no option -x"],
      [["up", "a.txt", "-e"], "the last option needs a value"],
      [["jump"], "there is no command jump"],
    ] as const) {
      const { code, text } = await run(words);
      expect([code, text.includes(said)]).toEqual([1, true]);
    }
    expect((await run(["--help"])).text).toContain("satchel up FILE");
    expect(existsSync(join(home, "satchel/key"))).toBe(true);
  });
});

test.each([[["dash"]], [["bash"]], [["busybox", "sh"]]] as const)(
  "in %p a password that nobody types leaves the terminal as it was",
  async (program) => {
    await using shell = startShell(["dash", "-i"], { cwd: shop.path });
    await shell.type("\n", /> /);
    await shell.type(`${program.join(" ")} ${script} up -p a.txt\n`, /Password: /);
    await shell.type("\x03", /> /);
    expect(await shell.type("stty -a\n", /-?\becho\b(?= echoe)/)).toBe("echo");
  },
);

/** A shell tells what its function for the program was called with. */
const told = 'satchel() { echo "called[$*]"; }';

test.each([
  ["bash", ["bash", "--norc", "-i"], ""],
  ["zsh", ["zsh", "-f", "-i"], ""],
  ["zsh with its newer completion", ["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -D; "],
])("%s completes commands and names of files", async (_, command, before) => {
  const cwd = shop.folder("completing");
  await Bun.write(`${cwd}/notes.md`, "notes");
  await using shell = startShell(command, { cwd });
  const shellName = command[0] ?? "";
  await shell.type("\n", /> /);
  const setup = `${before}eval "$(sh ${script} completion ${shellName})"; ${told}; echo rea''dy\n`;
  await shell.type(setup, /ready\r/);
  expect(await shell.type("satchel te\t\n", /called\[te.*\]\r/)).toBe("called[text]\r");
  expect(await shell.type("satchel up no\t\n", /called\[up.*\]\r/)).toBe("called[up notes.md]\r");
});
