import { uploadServer } from "../../support/page-servers/upload-server.ts";
import { fileOf, largeFile, PARTS, putFrom, row, uploadsAt } from "../../support/page-servers/uploads-at.ts";

type Server = ReturnType<typeof uploadServer>;
type Choices = Parameters<typeof uploadsAt>[1];

/** A server whose storage is another origin. */
export function serverWithStorage(options: Parameters<typeof uploadServer>[0] = {}) {
  const server = uploadServer({ ...options, elsewhere: true });
  const { storage } = server;
  if (!storage) throw new Error("There is no storage.");
  return { ...server, storage };
}

/** A file under way, with the slug "mine", in a browser that minds origins. */
export function sending(
  server: Server,
  file: File,
  { storageId = "cloud", ...choices }: Choices & { storageId?: string } = {},
) {
  const here = uploadsAt(server.base, { put: putFrom(server.base), ...choices });
  here.uploads.add([file]);
  here.uploads.start({ slug: "mine", storageId });
  return { ...here, item: () => row(here.uploads, file.name) };
}

/** How many bodies came to the storage, and to the server in its place. */
export const came = ({ puts }: Server) => [
  puts.filter(({ here }) => !here).length,
  puts.filter(({ here }) => here).length,
];
export const kinds = [
  ["in one piece", () => fileOf("a", 1000), 1],
  ["in parts", () => largeFile("a"), PARTS],
] as const;
