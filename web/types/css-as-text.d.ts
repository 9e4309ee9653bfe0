/** Style sheets that are imported as text. */
declare module "*.css" {
  const css: string;
  export default css;
}
