export interface Answered {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Calls the API as the administrator. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answered>;

export const text = (value: unknown): string => (typeof value === "string" ? value : "nothing");

/** Sends five bytes to an address; answers the ETag. */
const put = async (url: unknown): Promise<string> => {
  const response = await fetch(text(url), {
    method: "PUT",
    body: "hello",
    headers: { "content-type": "text/plain" },
  });
  return response.headers.get("etag") ?? "nothing";
};

/** Begins an upload of each kind and sends the first bytes of each; what was begun, and addresses that are signed. */
export async function beginUploads(call: Call, address: string) {
  const file = { size: 5, mimetype: "text/plain" };
  const one = (await call("POST", "/s3/presign", { filename: "u.txt", ...file })).data;
  const parts = (await call("POST", "/s3/multipart/init", { filename: "p.txt", ...file, part_size: 5_242_880 })).data;
  const entry = { path: "/drive/", fileSize: 5, contentType: "text/plain" };
  const tree = (await call("POST", "/fs/presign", { ...entry, fileName: "t.txt" })).data;
  const treeParts = (await call("POST", "/fs/multipart/init", { ...entry, fileName: "q.txt" })).data;
  const link = (await call("GET", "/fs/file-link?path=/drive/shared/a.txt")).data;
  const addressesOfParts = [parts.presigned_urls, treeParts.presignedUrls].flatMap(
    (urls) => (urls as { url: string }[] | undefined)?.map(({ url }) => url) ?? [],
  );
  const urls = [one.upload_url, one.relay_url, tree.presignedUrl, link.presignedUrl, ...addressesOfParts];
  const etags = await Promise.all([...addressesOfParts, one.upload_url, tree.presignedUrl].map(put));
  const signed = urls.flatMap((url) => (typeof url === "string" ? [url.slice(address.length)] : []));
  return { one, parts, tree, treeParts, signed, etags };
}
