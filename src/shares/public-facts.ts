import type { FileType, PictureFacts } from "#contract/files";
import { MAX_THUMB_SOURCE } from "#contract/limits";
import type { Place } from "../stores/store.ts";
import type { Files } from "./files.ts";
import type { Pastes } from "./pastes.ts";

/** What anybody may learn of a text without opening it. */
export interface PublicText {
  readonly kind: "paste";
  readonly id: string;
  readonly version: number;
  readonly remark: string | null;
  /** Whether it is shown as it was written, and not as Markdown. */
  readonly plain: boolean;
  /** Bytes of UTF-8. */
  readonly size: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** How it begins. */
  readonly preview: string;
  /** All of it; undefined when it has changed since. */
  readonly content: () => Promise<string | undefined>;
}

/** What anybody may learn of a file without opening it. */
export interface PublicFile {
  readonly kind: "file";
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly remark: string | null;
  /** What its sender says that it is. */
  readonly type: string;
  /** What the settings say that it is. */
  readonly typeName: FileType;
  /** Bytes. */
  readonly size: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Whether it says that it is a picture of which thumbnails are made. */
  readonly hasThumbnail: boolean;
  /** Its dimensions, once a thumbnail was made. */
  readonly picture: Pick<PictureFacts, "width" | "height"> | undefined;
}

export type PublicFacts = PublicText | PublicFile;

interface PublicFactsDeps {
  readonly pastes: Pastes;
  readonly files: Files;
  /** Reads what is known of pictures, by the files that they are. */
  readonly pictures: () => Promise<(file: Place & { readonly etag: string }) => PictureFacts | undefined>;
}

/** The media types of which thumbnails are made. */
const PICTURES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/**
 * Decides what is told of a share to whoever has its link and has not opened it, such as the programs that draw previews of links: all of a
 * share that asks for nothing, and nothing of any other, of one that is gone or was never there. It spends and counts nothing; an address that
 * guesses slugs is limited as everywhere.
 */
export function createPublicFacts({ pastes, files, pictures }: PublicFactsDeps) {
  const text = async (slug: string, address: string): Promise<PublicText | undefined> => {
    const share = await pastes.glance(slug, { address });
    if (!share) return undefined;
    const { id, version, remark, size, preview } = share;
    return {
      kind: "paste",
      ...{ id, version, remark, size, preview },
      plain: share.plain === 1,
      createdAt: share.created_at,
      expiresAt: share.expires_at,
      content: () => pastes.contentOf(share),
    };
  };

  const file = async (slug: string, address: string): Promise<PublicFile | undefined> => {
    const share = await files.glance(slug, { address });
    if (!share || share.sealed !== null) return undefined;
    const { id, version, remark, size, content_type: type, filename: name, storage, key, etag } = share;
    const hasThumbnail = PICTURES.has(type.split(";")[0]?.trim().toLowerCase() ?? "") && size <= MAX_THUMB_SOURCE;
    const known = hasThumbnail && etag !== null ? (await pictures())({ storage, key, etag }) : undefined;
    const picture = known && { width: known.width, height: known.height };
    return {
      kind: "file",
      ...{ id, version, name, remark, type, size, hasThumbnail, picture },
      typeName: files.kinds()(share).typeName,
      createdAt: share.created_at,
      expiresAt: share.expires_at,
    };
  };

  return (kind: PublicFacts["kind"], slug: string, address: string): Promise<PublicFacts | undefined> =>
    kind === "paste" ? text(slug, address) : file(slug, address);
}
