/** Returns a unique name. `crypto.randomUUID` is missing on plain http, where many a home server is. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
