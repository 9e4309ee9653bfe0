/** What the worker of a book is asked: to read its list, or for one of its files, of so many bytes at most. */
export type EpubQuestion = { readonly open: Uint8Array } | { readonly take: string; readonly most: number };

/** Why a book is not shown. */
export class BookFailure extends Error {
  readonly code: string;
  constructor(code: "broken" | "drm" | "tooLarge") {
    super(code);
    this.code = code;
  }
}

/** A file of the book by its path; undefined when there is none, or it is longer than `most` bytes. */
export type TakeFile = (path: string, most: number) => Promise<Uint8Array<ArrayBuffer> | undefined>;
