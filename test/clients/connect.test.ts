import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, symlinkSync } from "node:fs";
import type { ConnectTool, ReadyText } from "#contract/connect";
import type { KeyConnection, KeyRecord } from "#contract/keys";
import type { LinkConnection, LinkRecord } from "#contract/links";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { basic } from "../support/clients/basic.ts";
import { openWorkshop } from "../support/clients/programs.ts";
import { sendByShareX } from "../support/clients/share-x.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** What programs are told to use a key or a link, pasted as it stands into a shell with the programs of Debian. */

/** The words of a line for PowerShell, in which a quote within quotes is written twice. */
const powerShellWords = (line: string): readonly string[] =>
  [...line.matchAll(/'((?:[^']|'')*)'|([^\s'@,;|&$()"`]+)|(\S)/g)].map(([, quoted, plain, other]) => {
    if (other !== undefined) throw new Error(`PowerShell does not take ${other} for itself: ${line}`);
    return quoted?.replaceAll("''", "'") ?? plain ?? "";
  });

const servers = [await startServer(), await startServer({ environment: { BASE_PATH: "/shared/satchel" } })];
const shop = openWorkshop({ AWS_EC2_METADATA_DISABLED: "true", RESTIC_PASSWORD: "sesame" });
afterAll(async () => {
  for (const server of servers) await server.stop();
  shop[Symbol.dispose]();
});
const atRoot = (server: TestServer): boolean => server === servers[0];

async function call<Answer>(server: TestServer, method: string, path: string, body?: object): Promise<Answer> {
  const headers = { ...basic("admin", server.adminPassword), "content-type": "application/json" };
  const response = await fetch(`${server.address.replace("localhost", "127.0.0.1")}/api${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: Answer }).data;
}

/** A key that sees one folder, and what programs are told of it. */
async function connect(server: TestServer, name: string, basic_path: string): Promise<KeyConnection> {
  const fields = { name, permissions: ALL_PERMISSIONS, expires_at: null, basic_path };
  const { id } = await call<KeyRecord>(server, "POST", "/admin/api-keys", fields);
  return await call<KeyConnection>(server, "GET", `/admin/api-keys/${id}/connect`);
}

type Asked = readonly [tool: ConnectTool, does: ReadyText["does"], via?: string];

function toldOf(texts: readonly ReadyText[], ...[tool, does, via = ""]: Asked): string {
  const found = texts.find((one) => one.tool === tool && one.does === does && one.via === via);
  if (!found) throw new Error(`Nothing is said of ${tool}.`);
  return found.text;
}

/** Pastes what is told into a shell. */
const paste = async (text: string): Promise<string> =>
  await shop.done(["sh", "-ec", text], {
    environment: { PATH: `${shop.path}/.local/bin:${shop.path}/bin:/usr/bin:/bin:${process.env.PATH ?? ""}` },
  });

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

beforeAll(async () => {
  for (const server of servers) await call(server, "POST", "/fs/mkdir", { path: "/drive/it's 照片; 100%" });
  await Bun.write(`${shop.path}/photo.jpg`, "a picture");
  await Bun.write(`${shop.path}/shot.png`, PNG);
  // Programs of a desk that Debian has only with one.
  const desk = {
    flameshot: 'test "$*" = "gui --raw" && cat "$HOME/shot.png"',
    "wl-copy": 'cat >"$HOME/clipboard"',
  };
  for (const [name, does] of Object.entries(desk)) {
    await Bun.write(`${shop.path}/bin/${name}`, `#!/bin/sh\n${does}\n`);
    chmodSync(`${shop.path}/bin/${name}`, 0o755);
  }
  symlinkSync("/usr/bin/curl", `${shop.path}/bin/curl.exe`);
});

/** Writes the script for screenshots, runs it, and answers what it prints. */
async function shoot(script: string, words = "", environment = "WAYLAND_DISPLAY=wayland-0"): Promise<string> {
  await Bun.write(`${shop.path}/satchel-screenshot`, script);
  expect(await shop.done(["shellcheck", "-s", "sh", "satchel-screenshot"])).toBe("");
  return (await paste(`${environment} sh satchel-screenshot ${words}`)).trim();
}

describe.each(
  servers.flatMap((server) => [
    ["everything", server, "/"] as const,
    ["a folder with an odd name", server, "/drive/it's 照片; 100%"] as const,
  ]),
)("a key for %s", (name, server, base) => {
  let texts: KeyConnection["texts"] = [];
  let form: KeyConnection["form"] = null;
  beforeAll(async () => {
    ({ texts, form } = await connect(server, name, base));
  });
  const told = (...asked: Asked) => toldOf(texts, ...asked);
  const pasted = async (...asked: Asked): Promise<string> => await paste(told(...asked));
  /** Reads the link in what a program prints; curl draws its progress beside it. */
  const read = async (printed: string) => await shop.done(["curl", "-fsS", /http\S+/.exec(printed)?.[0] ?? ""]);

  test("works with curl", async () => {
    expect(await read(await pasted("curl", "shareText"))).toBe("hello");
    expect(await read(await pasted("curl", "shareFile"))).toBe("a picture");
    expect(await pasted("curl", "upload", "API")).toContain('"success":true');
    expect(await pasted("curl", "list", "API")).toContain("photo.jpg");
  });

  test("works with curl in PowerShell, as far as its words go", async () => {
    const sent = async (...asked: Asked) => {
      const words = powerShellWords(told(...asked));
      expect(words[0]).toBe("curl.exe");
      return await shop.done([`${shop.path}/bin/curl.exe`, ...words.slice(1)]);
    };
    expect(await read(await sent("powershell", "shareText"))).toBe("hello");
    expect(await read(await sent("powershell", "shareFile"))).toBe("a picture");
    expect(await sent("powershell", "upload", "API")).toContain('"success":true');
    expect(await sent("powershell", "list", "API")).toContain("photo.jpg");
  });

  test("works with the program for terminals, which it installs", async () => {
    await pasted("satchel", "install");
    expect(await read(await pasted("satchel", "shareText"))).toBe("hello");
    expect(await read(await pasted("satchel", "shareFile"))).toBe("a picture");
    const link = (await pasted("satchel", "collect")).trim();
    expect(await shop.done(["curl", "-fsS", "-T", "photo.jpg", `${link}/`])).toContain("Received: photo");
  });

  test("works with ShareX, for files and texts, and tells it what went wrong", async () => {
    const file = await sendByShareX(told("sharex", "shareFile"), new File([PNG], "shot é.png"));
    expect(file.status).toBe(201);
    const bytes = await (await fetch(`${file.url}?raw`)).arrayBuffer();
    expect(Buffer.from(bytes).equals(PNG)).toBe(true);
    const text = await sendByShareX(told("sharex", "shareText"), "a text & more");
    expect(text.url).toContain("/paste/");
    expect(await read(text.url ?? "")).toBe("a text & more");
    // ShareX opens the address that deletes in a browser, whose look at it deletes nothing.
    expect((await fetch(file.deletion ?? "")).status).toBe(200);
    expect((await fetch(file.deletion ?? "", { method: "DELETE" })).status).toBe(200);
    expect((await fetch(`${file.url}?raw`)).status).toBe(404);
    const refused = await sendByShareX(told("sharex", "shareText"), "");
    expect(refused.status).toBe(400);
    expect(refused.error).toMatch(/^[A-Z].+\.$/);
  });

  test("works with PicGo's web-uploader, by the request that its settings describe", async () => {
    const { picBed } = JSON.parse(told("picgo", "sharePicture")) as { picBed: Record<string, Record<string, string>> };
    const { url = "", paramName = "", jsonPath = "", customHeader = "{}" } = picBed["web-uploader"] ?? {};
    const body = new FormData();
    body.set(paramName, new File([PNG], "shot.png", { type: "image/png" }));
    const headers = { "User-Agent": "PicGo", ...(JSON.parse(customHeader) as Record<string, string>) };
    const answer = (await (await fetch(url, { method: "POST", headers, body })).json()) as Record<string, string>;
    // A document embeds it: the picture itself, for a browser.
    const picture = await fetch(answer[jsonPath] ?? "", {
      headers: { accept: "image/*", "sec-fetch-mode": "no-cors" },
    });
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await picture.arrayBuffer()).equals(PNG)).toBe(true);
  });

  test("has a script that takes a screenshot, or one from its input, and copies the link", async () => {
    const link = await shoot(told("screenshot", "sharePicture"));
    expect(await read(`${link}?raw`).then((text) => text.includes("PNG"))).toBe(true);
    expect(readFileSync(`${shop.path}/clipboard`, "utf8")).toBe(link);
    const piped = await shoot(told("screenshot", "sharePicture"), "- <shot.png");
    expect(piped).not.toBe(link);
    await expect(shoot(told("screenshot", "sharePicture"), "- </dev/null")).rejects.toThrow("there is no picture");
    const refused = told("screenshot", "sharePicture").replace(/X-API-KEY: [\w-]+/, "X-API-KEY: nobody");
    await expect(shoot(refused, "- <shot.png")).rejects.toThrow(/satchel-screenshot: [A-Z].+\./);
  });

  test("says what a form needs, for a shortcut on a phone", async () => {
    if (!form?.header) throw new Error("No form.");
    const body = new FormData();
    body.set(form.field, new File([PNG], "IMG_0001.png"));
    const headers = { [form.header.name]: form.header.value, accept: "*/*" };
    const response = await fetch(form.address, { method: "POST", headers, body });
    expect(await response.text()).toMatch(/^http\S+\/file\/\S+\n$/);
  });

  test("works over WebDAV with curl and rclone", async () => {
    await pasted("curl", "upload", "WebDAV");
    expect(await pasted("rclone", "sync", "WebDAV")).toContain("photo.jpg");
  });

  test("works over S3 with awscli and rclone, and at the root of a host with s3cmd and restic", async () => {
    expect(await pasted("awscli", "list", "S3")).toContain("photo.jpg");
    expect(await pasted("rclone", "sync", "S3")).toContain("photo.jpg");
    const tools = texts.filter(({ via }) => via === "S3").map(({ tool }) => tool);
    expect(tools.includes("s3cmd") && tools.includes("restic") && tools.includes("cyberduck")).toBe(atRoot(server));
    if (!atRoot(server)) return;
    expect(await pasted("s3cmd", "list", "S3")).toContain("photo.jpg");
    expect(await pasted("restic", "backup", "S3")).toContain("created restic repository");
  });
});

describe.each(servers.map((server) => [server.address, server] as const))("a link of %s", (_, server) => {
  const made = async (fields: object) => {
    const { id } = await call<LinkRecord>(server, "POST", "/links", { items: ["/drive/it's 照片; 100%/"], ...fields });
    return await call<LinkConnection>(server, "GET", `/links/${id}/connection`);
  };

  test("that collects files takes them from curl, ShareX, a script and a form", async () => {
    const { texts, form, s3, dav_address } = await made({ rights: ["upload"] });
    expect([s3, dav_address]).toEqual([null, null]);
    expect([...new Set(texts.map(({ tool }) => tool))]).toEqual(["curl", "powershell", "sharex", "screenshot"]);
    expect(await paste(toldOf(texts, "curl", "send"))).toContain("Received: photo");
    const sent = await sendByShareX(toldOf(texts, "sharex", "send"), new File([PNG], "shot.png"));
    expect(sent.status).toBe(201);
    expect(await (await fetch(sent.url ?? "")).text()).toContain("shot.png");
    expect(await shoot(toldOf(texts, "screenshot", "send"))).toContain("Received: screenshot-");
    const body = new FormData();
    body.set(form?.field ?? "", new File([PNG], "IMG_0001.png"));
    expect((await fetch(form?.address ?? "", { method: "POST", body })).status).toBe(201);
  });

  test("with a password says where it belongs", async () => {
    const { texts, form } = await made({ rights: ["upload"], password: "sesame" });
    expect(form).toBeNull();
    const known = (...asked: Asked) => toldOf(texts, ...asked).replaceAll("PASSWORD", "sesame");
    expect(toldOf(texts, "curl", "send")).toMatch(/^curl -u \w+ -T /);
    expect(await shoot(known("screenshot", "send"))).toContain("Received: screenshot-");
    expect((await sendByShareX(known("sharex", "send"), new File([PNG], "shot.png"))).status).toBe(201);
    expect((await sendByShareX(toldOf(texts, "sharex", "send"), new File([PNG], "shot.png"))).status).toBe(401);
  });

  test("that shows files is listed by curl, and a bucket for rclone and awscli", async () => {
    await call(server, "PUT", "/fs/update", { path: "/drive/it's 照片; 100%/seen.txt", content: "seen" });
    const { texts, form, dav_address } = await made({ rights: ["view", "download"] });
    expect([form, dav_address]).toEqual([null, `${server.address.replace("localhost", "127.0.0.1")}/dav/`]);
    expect(await paste(toldOf(texts, "curl", "list"))).toContain("it's");
    expect(await paste(toldOf(texts, "rclone", "sync"))).toContain("it's");
    expect(await paste(toldOf(texts, "awscli", "list"))).toContain("it's");
  });
});
