declare module "hls.js/light" {
  /** The package has no types for its smaller half; they are those of the whole. */
  export { default } from "hls.js";
}
