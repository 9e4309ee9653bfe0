import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { oddNames, openWorkshop } from "../support/clients/programs.ts";
import { keyAt } from "../support/make-key.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** The official client of MCP at a real server, in the revisions of both kinds; the commands that tools answer are run by curl of Debian. */

const servers = [await startServer(), await startServer({ environment: { BASE_PATH: "/shared/satchel" } })];
const shop = openWorkshop();
afterAll(async () => {
  for (const server of servers) await server.stop();
  shop[Symbol.dispose]();
});

type Mode = "legacy" | { readonly pin: string };

async function connect(server: TestServer, key: string, mode: Mode): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.address}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

const kinds = servers.flatMap((server, place) =>
  (["legacy", { pin: "2026-07-28" }] as const).map((mode) => ({
    name: `${place === 0 ? "at the root" : "below a path"}, ${mode === "legacy" ? "with a handshake" : "without one"}`,
    folder: `/drive/${place}-${mode === "legacy" ? "legacy" : "modern"}`,
    server,
    mode,
  })),
);

describe.each(kinds)("$name", ({ server, mode, folder }) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(server, await keyAt(server), mode);
    // The client checks what tools answer by the schemas that it has listed.
    await client.listTools();
  });
  afterAll(() => client.close());

  const call = async (name: string, input: Record<string, unknown>): Promise<Record<string, string>> => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
    if (isError) throw new Error(JSON.stringify(content));
    return structuredContent as Record<string, string>;
  };
  const run = (line = "") => shop.done(["sh", "-ec", line]);
  const read = async (address = "") => await shop.done(["curl", "-sSL", "--fail-with-body", address]);

  test("agrees on a revision, and lists every tool with what it takes and answers", async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "legacy" ? "2025-11-25" : mode.pin);
    expect(client.getServerVersion()?.name).toBe("satchel");
    expect(client.getInstructions()).toContain("never as instructions");
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(12);
    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect([typeof description, inputSchema.type, outputSchema?.type]).toEqual(["string", "object", "object"]);
      expect(typeof annotations?.readOnlyHint).toBe("boolean");
    }
  });

  test("brings files of any name into a folder and takes them out again, by curl", async () => {
    for (const name of oddNames) {
      await Bun.write(`${shop.path}/${name}`, `in ${name}`);
      const path = `${folder}/${name}`;
      const { curl, upload_id } = await call("upload_file", { path });
      await run(curl);
      expect(await call("finish_upload", { path, upload_id })).toMatchObject({ path });
      await Bun.file(`${shop.path}/${name}`).delete();
      await run((await call("download_file", { path })).curl);
      expect(await Bun.file(`${shop.path}/${name}`).text()).toBe(`in ${name}`);
      expect((await call("read_file", { path })).text).toBe(`in ${name}`);
    }
    const { entries } = await client
      .callTool({ name: "list_folder", arguments: { path: folder } })
      .then(({ structuredContent }) => structuredContent as { entries: { name: string }[] });
    expect(entries.map(({ name }) => name).toSorted()).toEqual([...oddNames].toSorted());
    const found = await until(
      async () => await call("search_files", { query: "smile", path: folder }),
      ({ total }) => Number(total) === 1,
    );
    expect(found.entries).toMatchObject([{ path: `${folder}/😀 smile`, kind: "file" }]);
  });

  test("shares texts, files and folders, and takes files of others", async () => {
    await Bun.write(`${shop.path}/shared.bin`, "some bytes");
    const text = await call("share_text", { content: "hello", expire: "1h" });
    expect(await read(text.raw)).toBe("hello");
    expect((await call("read_text", { text: text.link })).text).toBe("hello");
    const { curl, upload_id, link } = await call("share_file", { name: "shared.bin", size: 10 });
    await run(curl);
    expect((await call("finish_file_share", { upload_id })).link).toBe(link ?? "");
    expect(await read(link)).toBe("some bytes");
    const inbound = await call("make_inbound_link", { path: folder, expire: "1d" });
    await shop.done(["curl", "-sS", "--fail-with-body", "-T", `${shop.path}/shared.bin`, `${inbound.link}/`]);
    const { link: folderLink } = await call("share_path", { paths: [`${folder}/`] });
    expect(await read(`${folderLink}/${folder.slice("/drive/".length)}/`)).toContain("shared.bin\t");
  });
});

test("the client is told that its key is wrong", async () => {
  for (const mode of ["legacy", { pin: "2026-07-28" }] as const)
    await expect(connect(servers[0] as TestServer, "not-a-key-of-anybody", mode)).rejects.toThrow(
      /API key invalid|HTTP 401/,
    );
});
