/** The package has no types: signs by their names. */
declare module "markdown-it-emoji/lib/data/full.mjs" {
  const emoji: Readonly<Record<string, string>>;
  export default emoji;
}
