/** The address of a worker's code, which build.ts bundles with all that it imports. */
declare module "*?worker" {
  const address: string;
  export default address;
}

/** The address of the decoder of HEIC. */
declare module "*/libheif.wasm" {
  const address: string;
  export default address;
}
