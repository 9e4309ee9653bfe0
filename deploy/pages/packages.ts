import { join } from "node:path";
import type { Plugin } from "rolldown";

/** In the place of what packages import, by its name and, where that matters, by who imports it. Each module says why. */
const shims: readonly (readonly [name: RegExp, path: string, importer?: RegExp])[] = [
  [/^entities$/, "web/shims/entities.ts"],
  [/^(?:mdurl|punycode\.js)$/, "web/shims/addresses.ts"],
  [/^uc\.micro$/, "web/shims/letters.ts"],
  [/^(?:linkify-it|\.\/rules_core\/(?:smartquotes|replacements)\.mjs)$/, "web/shims/unused.ts"],
  [/^@codemirror\/lang-html$/, "web/shims/plain-html.ts", /[\\/]lang-markdown[\\/]/],
  [/^\.\.?\/schemas\.ts$/, "web/shims/no-schemas.ts", /[\\/]src[\\/]contract[\\/]/],
  [/^\.\.\/createLucideIcon\.mjs$/, "web/shims/lucide-icon.ts", /[\\/]lucide-react[\\/]/],
];

/** Leaves out what the pages do not need of packages. */
export const moduleShims = (root: string): Plugin => ({
  name: "module-shims",
  resolveId(source, importer = "") {
    const shim = shims.find(([name, , from]) => name.test(source) && (from?.test(importer) ?? true));
    return shim && join(root, shim[1]);
  },
});

/**
 * The router names its modules for development, which warn of what is right here; those beside them are the same without. It gives names to its
 * components for developers, and does not say that to make one has no effect: without those names, what no page uses goes.
 */
export const quietRouter: Plugin = {
  name: "quiet-router",
  transform: {
    filter: { id: /[\\/]react-router[\\/]dist[\\/]production[\\/][\w-]+\.mjs$/ },
    handler: (code) =>
      code
        .replace(/^\w+\.displayName = "\w+";$/gm, "")
        .replace(/^var \w+ = (?=\w+\.(?:createContext|forwardRef|memo)\()/gm, "$&/* @__PURE__ */ "),
  },
  resolveId: {
    filter: { id: /^react-router(?:\/dom)?$/ },
    async handler(source, importer) {
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found?.id.replace(/([\\/]dist[\\/])development([\\/])/, "$1production$2");
    },
  },
};

/** The random keys of lucide's icons are what compresses worst in them; nothing needs them, nor other names of an icon (web/shims/lucide-icon.ts). */
export const plainIcons: Plugin = {
  name: "plain-icons",
  transform: {
    filter: { id: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/][\w-]+\.mjs$/ },
    handler(icon) {
      return icon
        .replace(/,? ?\bkey: "\w+"/g, "")
        .replace("size: 24,", "")
        .replace(/,\s*aliases: \[[^\]]*\]/, "")
        .replace("__iconData.node;\n", "");
    },
  },
};
