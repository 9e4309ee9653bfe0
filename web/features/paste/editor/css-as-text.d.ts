/** Style sheets that are imported as text: see rich-config.ts. */
declare module "*.css" {
  const css: string;
  export default css;
}
