import type { Journey } from "../browser/journey.ts";

/** Puts files and folders into the tree of a journey's server, as a script would. */
export function treeSeeds(journey: Journey) {
  const folder = (path: string) => journey.call("POST", "/api/fs/mkdir", { path });
  const text = (path: string, content = "x") => journey.call("POST", "/api/fs/update", { path, content });
  return {
    folder,
    text,
    /** Writes bytes to a path by the address that the server gives for it. */
    async file(path: string, bytes: Uint8Array<ArrayBuffer>, contentType = "application/octet-stream") {
      const end = path.lastIndexOf("/");
      const wish = { path: path.slice(0, end), fileName: path.slice(end + 1), contentType, fileSize: bytes.byteLength };
      const { data } = await journey.call<{ data: { presignedUrl: string; fileId: string; targetPath: string } }>(
        "POST",
        "/api/fs/presign",
        wish,
      );
      const headers = { "content-type": contentType };
      const put = await fetch(data.presignedUrl, { method: "PUT", body: bytes, headers });
      if (!put.ok) throw new Error(`The PUT of ${path} answered ${put.status}.`);
      await journey.call("POST", "/api/fs/presign/commit", { fileId: data.fileId, targetPath: data.targetPath });
    },
    /** The bytes of a file, by the address that the server gives for it. */
    async contentOf(path: string): Promise<Buffer> {
      const query = new URLSearchParams({ path });
      const { data } = await journey.call<{ data: { preview_url: string } }>("GET", `/api/fs/get?${query}`);
      return Buffer.from(await (await fetch(data.preview_url)).arrayBuffer());
    },
    /** The names in a folder, as the server lists them. */
    async names(path: string): Promise<string[]> {
      const query = new URLSearchParams({ path, refresh: "true" });
      const { data } = await journey.call<{ data: { items: { name: string }[] } }>("GET", `/api/fs/list?${query}`);
      return data.items.map(({ name }) => name).sort();
    },
  };
}
