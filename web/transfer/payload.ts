/** What is uploaded: a file, or one that is still being downloaded. */
export interface Payload extends Pick<File, "name" | "size" | "type" | "lastModified" | "webkitRelativePath"> {
  /** Returns the bytes between two positions. Throws ApiFailure if they do not come. */
  slice(from: number, to: number): Blob | Promise<Blob>;
  /** Called when the slice that begins there has arrived and is not needed again. */
  readonly done?: (from: number) => void;
}
