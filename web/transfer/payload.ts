/** What is sent: a file, or one that is still arriving itself. */
export interface Payload extends Pick<File, "name" | "size" | "type" | "lastModified" | "webkitRelativePath"> {
  /** The bytes between two places. Throws ApiFailure when they do not come. */
  slice(from: number, to: number): Blob | Promise<Blob>;
  /** The bytes from there on, as they were sliced, have arrived and are not wanted again. */
  readonly done?: (from: number) => void;
}
