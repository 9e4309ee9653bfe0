/** What is uploaded: a file, one that is still being downloaded, or one that is sealed while it is sent. */
export interface Payload extends Pick<File, "name" | "size" | "type" | "lastModified" | "webkitRelativePath"> {
  /** Returns the bytes between two positions. Throws ApiFailure if they do not come. */
  slice(from: number, to: number): Blob | Promise<Blob>;
  /** Identifies the file that it is made of, where its own name and size do not (`keyOf`). */
  readonly key?: string;
  /** Called when the slice that begins there has arrived and is not needed again. */
  readonly done?: (from: number) => void;
}
