import type { LinkPlace } from "../access/principal.ts";
import { randomSlug } from "../shares/new-share.ts";
import { wordsOf } from "./link-values.ts";
import type { LinkRow, LinksTable } from "./links-table.ts";

/** How often a slug that was taken in the meantime is replaced. */
const TRIES = 5;

/** A link of another server, as its row says it. */
type ImportedLink = Pick<
  LinkRow,
  | "id"
  | "slug"
  | "title"
  | "note"
  | "rights"
  | "password_hash"
  | "expires_at"
  | "max_opens"
  | "opens"
  | "max_bytes"
  | "max_file_bytes"
  | "sender_folders"
  | "created_at"
>;

interface ImportedLinksDeps {
  readonly table: Pick<LinksTable, "find" | "slugIsFree" | "insert">;
  /** Awaits a change, after which nothing that memory keeps of links holds. */
  readonly changed: <Result>(change: Promise<Result>) => Promise<Result>;
}

/** What an import says of no link, and every new one has. */
const unsaid = {
  ...{ label: null, max_downloads: 0, downloads: 0, networks: "[]", max_files: 0, kinds: "[]", recipient: null },
  ...{ ask_name: 0, ask_message: 0, files: 0, bytes: 0, is_active: 1, closed_for: null, version: 1 },
  created_by: "admin",
} as const;

/** Links that another server had, which are the administrator's here. */
export const createImportedLinks = ({ table, changed }: ImportedLinksDeps) => ({
  /** Whether a link has this id. */
  isKnown: async (id: string): Promise<boolean> => (await table.find(id)) !== undefined,

  slugIsFree: table.slugIsFree,

  /** Writes a link with its items; one whose slug was taken meanwhile gets another. Answers its slug; undefined when a link with its id has come. */
  async insert(link: ImportedLink, items: readonly LinkPlace[]): Promise<string | undefined> {
    let { slug } = link;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const row = {
        ...unsaid,
        ...link,
        slug,
        words: wordsOf({ ...unsaid, ...link, slug }),
        updated_at: link.created_at,
      };
      if (await changed(table.insert(row, items))) return slug;
      if (await table.find(link.id)) return undefined;
      slug = randomSlug();
    }
    throw new Error("No slug was free.");
  },
});

export type ImportedLinks = ReturnType<typeof createImportedLinks>;
