/** What the tree asks of the room of links, which counts what comes by them. */
import type { Failure } from "#contract/failures";
import type { LinkCaller } from "../access/principal.ts";
import type { Place } from "../stores/store.ts";

/** What a sender says with a file that comes by a link. */
export interface SenderDetails {
  /** What tells senders apart, which they have and nobody else; one is made up where they have none. */
  readonly receipt?: string | undefined;
  readonly sender?: string | undefined;
  readonly message?: string | undefined;
}

/** A file that wants to come. */
export interface WantedFile extends Place {
  /** Where it goes in the tree of the link. */
  readonly path: string;
  readonly name: string;
  readonly type: string;
  /** Bytes; undefined when nobody knows. */
  readonly size: number | undefined;
  /** Whether its name is to be its own while it is on its way. */
  readonly isNumbered: boolean;
}

/** A file as it came. */
export interface ArrivedFile {
  readonly size: number;
  readonly etag: string | null;
  /** In hexadecimal digits; undefined leaves what is known of it. */
  readonly sha256?: string | undefined;
}

/** What became of a file that its sender takes back; `changed` is no longer what was sent, and stays. */
export type TakenBack = "removed" | "missing" | "changed";

/** Where a file goes in the tree of its link, and at its storage. */
export interface ArrivalPlace {
  readonly path: string;
  readonly key: string;
}

/** A file that is counted, and on its way. */
export interface PendingArrival {
  /** Why it may not have so many bytes, where nobody has said how many there are: 413 link.bytes, link.fileBytes. */
  beyond(bytes: number): Failure | undefined;
  /** Counts what nobody had announced. 413 link.bytes, link.fileBytes. */
  count(size: number): Promise<void>;
  /** Says which upload in parts brings it. */
  broughtBy(upload: string): Promise<unknown>;
  /** Takes another name for it, of which it answers whether nothing else is on its way there. */
  rename(place: ArrivalPlace): Promise<boolean>;
  settle(file: ArrivedFile): Promise<void>;
  giveBack(): Promise<void>;
  /** Says that nobody here is busy with it any more. */
  leave(): Promise<void>;
}

/** Whoever sends by a link. */
export interface Sender {
  readonly receipt: string;
  /** Of this sender alone, if they have one already. */
  readonly folder: string | null;
  /** What a folder of this sender is called, where each has one. */
  readonly folderName: string | undefined;
  /** Takes a folder of the link's tree for this sender, and answers which one they have; undefined when it is another sender's. */
  claim(folder: string): Promise<string | undefined>;
  /**
   * Counts a file that wants to come, in one turn with all others; undefined where another one comes to its name. 409 link.full; 413
   * link.bytes, link.fileBytes; 415 link.kind.
   */
  reserve(wanted: WantedFile): Promise<PendingArrival | undefined>;
}

export interface Arrivals {
  /** Who sends, in the words of the link. 400 link.sender; 404 link.receipt; 409 link.full. */
  senderOf(link: LinkCaller, said?: SenderDetails): Promise<Sender>;
  /** Notes the SHA-256 of a file that comes in one part. */
  noteDigest(upload: string, sha256: string): Promise<unknown>;
  /** The id of an upload in parts by this link that the bearer of a receipt has begun, as the store names it. */
  uploadSentBy(
    link: LinkCaller,
    said: { readonly upload: string; readonly receipt: string },
  ): Promise<string | undefined>;
  /** Where an upload in parts goes, or has gone, in the tree of its link. */
  pathOfUpload(upload: string): Promise<string | undefined>;
  /** Counts bytes of an upload in parts whose size nobody has announced; a negative number gives some back. 413 link.bytes, link.fileBytes. */
  growUpload(upload: string, bytes: number): Promise<void>;
  /** As `rename` of what comes in one piece. */
  renameUpload(upload: string, place: ArrivalPlace): Promise<boolean>;
  /** Notes that the file of an upload in parts is there. */
  settleUpload(upload: string, file: ArrivedFile): Promise<void>;
  /** Gives back what an upload in parts was to bring. */
  giveUpUpload(upload: string): Promise<void>;
}
