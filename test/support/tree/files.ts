import type { Caller } from "../../../src/access/principal.ts";
import type { TestHouse } from "../test-house.ts";

const admin: Caller = { kind: "admin", sessionId: null };

/** Writes a file into the tree as the administrator. */
export async function treeFile(
  { house }: TestHouse,
  path: string,
  content: string | Uint8Array<ArrayBuffer> = "hello",
) {
  const body = new Response(content);
  const view = await house.vfs.as(admin, "mount");
  await view.at(path).put({ body, length: Buffer.byteLength(content) });
}

/** Makes a folder in the tree as the administrator. */
export const treeFolder = async ({ house }: TestHouse, path: string) =>
  await (await house.vfs.as(admin, "mount")).at(path).mkdir();

/** What /fs/get tells the administrator of the addresses of a file. */
export async function addressesOf(
  house: TestHouse,
  path: string,
): Promise<{ preview_url: string; download_url: string }> {
  const headers = { authorization: `Bearer ${await house.signIn()}` };
  const response = await house.request(`/api/fs/get?${new URLSearchParams({ path })}`, { headers });
  return ((await response.json()) as { data: { preview_url: string; download_url: string } }).data;
}

/** Names that somebody will use one day. */
export const oddNames = [
  "with spaces.txt",
  "100% #1?.txt",
  "a+b&c=d;e,f.txt",
  "数字 字帖.txt",
  "🔑 key.txt",
  'it\'s (1) "quoted".txt',
  "%2e%2e.txt",
  "%252e.txt",
  `${"长".repeat(83)}ab.txt`,
] as const;
