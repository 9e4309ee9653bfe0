/**
 * Replaces parts of markdown-it that the pages never use: `linkify-it`, whose place preview/markdown/rules/bare-links.ts takes, and the rules
 * of its typographer, which is off.
 */
export default function unused(): undefined {
  return undefined;
}
