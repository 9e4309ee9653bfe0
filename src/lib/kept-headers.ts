/** Headers that S3 keeps with an object for whoever wrote it, by their names in lower case (PutObject, "x-amz-meta-"). */
export type KeptHeaders = Readonly<Record<string, string>>;

const KEPT = /^(x-amz-meta-.+|cache-control|content-disposition|content-encoding|content-language|expires)$/;

/** Reports whether S3 keeps a header of this name, in lower case, with an object. */
export const isKeptHeader = (name: string): boolean => KEPT.test(name);
