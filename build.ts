import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import type { BunPlugin } from "bun";
import tailwind from "bun-plugin-tailwind";
import { createElement, Fragment, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Plugin } from "rolldown";
import { rebuild } from "./deploy/pages/rebuild.ts";
import { type Script, writeScripts } from "./deploy/pages/scripts.ts";
import { version } from "./package.json";
import { files } from "./src/contract/files.ts";
import { type Language, languageCodes, languages } from "./src/contract/languages.ts";
import { links } from "./src/contract/links.ts";
import { pastes } from "./src/contract/pastes.ts";
import { type AssetEntry, assetList, type PackedEntry } from "./src/fronts/site/assets.ts";
import { firstScript, silentHead } from "./src/fronts/site/head.ts";
import { type OpenPage, openPageNames, openPagePath } from "./src/fronts/site/open-pages.ts";
import { sharePagePath } from "./src/fronts/site/share-page-files.ts";
import { FirstBar, FirstPaint, Scriptless } from "./web/app/first-paint.tsx";
import { LinkShapes } from "./web/features/explorer/link/link-shapes.tsx";
import { ServedFile } from "./web/features/file-view/served-file.tsx";
import { FirstHome } from "./web/features/paste/home/first-home.tsx";
import { ReadingShapes } from "./web/features/paste/view/reading-shapes.tsx";
import { ServedText } from "./web/features/paste/view/served-text.tsx";
import { partsOf } from "./web/i18n/write-parts.ts";
import { FileShapes } from "./web/ui/share-gate/file-shapes.tsx";

/**
 * bun build.ts --web             the pages, into dist/web
 * bun build.ts [--target T]      the pages and the executable dist/satchel (T as Bun names it, e.g. bun-linux-arm64)
 *
 * The pages are built only when a source of theirs has changed, or when dist/web is not what the last build wrote.
 */
const here = import.meta.dir;
const out = join(here, "dist");
const site = join(out, "web");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};
/** Brotli is worth its header, and the work of who takes it apart, where it leaves away a tenth and this many bytes. */
const WORTH_COMPRESSING = 128;

/** Builds the pages unless dist/web already holds what their sources make. */
async function updateWeb(): Promise<void> {
  const isBuilt = await rebuild(here, buildWeb);
  process.stdout.write(isBuilt ? "dist/web is built.\n" : "dist/web is up to date.\n");
}

/** Bundles the pages, compresses every file and writes the list that the site front serves from. */
async function buildWeb(): Promise<void> {
  await rm(site, { recursive: true, force: true });
  const words = await writeWords();
  const scripts = await writeApp(words);
  await Bun.build({ ...pageOf("docs"), outdir: site });
  for (const page of ["index.html", "docs.html"]) await finishPage(join(site, page));
  await copy("web/public", "");
  await copy("node_modules/katex/dist", "assets/katex", /^(katex\.min\.css|fonts\/.*\.woff2)$/);
  // What pdf.js fetches for some files: encodings of East Asian fonts, the fonts that a PDF need not bring, decoders of pictures.
  await copy(
    "node_modules/pdfjs-dist",
    "assets/pdfjs",
    /^(cmaps\/.*\.bcmap|standard_fonts\/.*\.(pfb|ttf)|wasm\/(openjpeg|jbig2|qcms_bg)\.wasm|iccs\/.*\.icc)$/,
  );

  await writePages(scripts, words);
  await buildWorker(await precached(scripts), wordsOffline(words));

  const paths = await Array.fromAsync(new Bun.Glob("**/*").scan(site));
  const assets = await Promise.all(paths.sort().map(describe));
  await Bun.write(join(site, assetList), JSON.stringify(assets));
}

/** How Bun makes a page and its styles of what the page names. */
const pageOf = (name: string): Bun.BuildConfig => ({
  entrypoints: [join(here, `web/${name}.html`)],
  target: "browser",
  minify: true,
  // What the pages are made of finds its parts beside itself, at whatever path the server is.
  publicPath: "",
  plugins: [tailwind, workersAs(async () => "export default undefined;")],
  define: { "process.env.NODE_ENV": '"production"' },
  naming: { entry: "[name].[ext]", chunk: "assets/[hash].[ext]", asset: "assets/[name]-[hash].[ext]" },
});

/** Where a page names the script that it begins with, in its source and as Bun writes it. */
const FIRST_SCRIPT = /<script type="module"(?: crossorigin)? src="([^"]+)"><\/script>/;

/** Writes the page of the app with its styles, as Bun makes them, and its scripts, which another bundler splits into fewer. */
async function writeApp(words: Words): Promise<readonly Script[]> {
  // Tailwind reads which classes there are in what Bun bundles, so Bun bundles the scripts too.
  const { outputs } = await Bun.build(pageOf("index"));
  for (const output of outputs) {
    if (output.path.endsWith(".js")) continue;
    const path = join(site, output.path);
    await Bun.write(path, path.endsWith(".css") ? withSharpWidths(await output.text()) : output);
  }
  const entry = FIRST_SCRIPT.exec(await Bun.file(join(here, "web/index.html")).text())?.[1];
  if (!entry) return [];
  const scripts = await writeScripts(here, join("web", entry), site, [wordsAt(words), workersBeside]);
  const first = scriptsOf(scripts, [join("web", entry)]);
  const tags = first.map((path, place) =>
    place === 0
      ? `<script type="module" crossorigin fetchpriority="low" src="./${path}"></script>`
      : `<link rel="modulepreload" crossorigin fetchpriority="low" href="./${path}">`,
  );
  const page = Bun.file(join(site, "index.html"));
  await Bun.write(
    page,
    (await page.text()).replace(FIRST_SCRIPT, () => tags.join("")),
  );
  return scripts;
}

/** What a page that people come to first is made of, and says. */
interface FirstPage {
  readonly source: string;
  /** What the page may load by itself when it has begun. */
  readonly besides?: readonly string[];
  /** The place of a page that is filled where that is wanted (src/fronts/site/template.ts); without it, that always is. */
  readonly where?: string;
  readonly words: readonly string[];
  /** What is asked for at once. */
  readonly look?: string;
}

/** The pages of the app to which strangers come who follow no link, as src/fronts/site names them. */
const openPages: Readonly<Record<OpenPage, FirstPage & { readonly first?: typeof FirstHome }>> = {
  home: { source: "features/paste/home.tsx", words: ["shell", "paste"], first: FirstHome },
  upload: { source: "features/upload/upload.tsx", words: ["shell", "paste", "file", "upload"] },
};

/** Renders a text that the server has not, or not as the app would. */
const MARKDOWN = "preview/markdown/markdown-view.tsx";

/** What the pages of shares are made of, say, ask and show first, by the first part of their address. */
const sharePages = {
  paste: {
    source: "features/paste/view.tsx",
    besides: [MARKDOWN, "ui/share-gate/ask-card.tsx"],
    words: ["shell", "share", "reading"],
    look: `${pastes.open.path}?peek=1`,
    shapes: ReadingShapes,
  },
  file: {
    source: "features/file-view/file-view.tsx",
    words: ["shell", "share", "file"],
    look: `${files.open.path}?peek=1`,
    shapes: FileShapes,
  },
  link: {
    source: "features/explorer/link/link-page.tsx",
    words: ["shell", "share", "file", "upload", "explorer", "link"],
    look: links.peek.path,
    shapes: LinkShapes,
  },
};

/** The pages that bring the share itself, where it is told to everybody, by the first part of their address. */
const servedPages = {
  paste: { path: "text", served: ServedText, besides: [MARKDOWN], where: "renders" },
  file: { path: "details", served: ServedFile, besides: ["preview/image/image-viewer.tsx"], where: "picture" },
} as const;

/** The words of those sources, which the worker keeps in the languages that are used. */
const offlineWords = ["shell", "share", "paste", "reading", "editing", "file", "upload", "admin", "leaving", "offline"];

/** Sources whose chunks, with all that these import, open without a connection from the first visit on; others once they were loaded. */
const offlineSources = [
  /^web\/main\.tsx$/,
  /^web\/app\/(guarded-admin|offline\/\w+)\.tsx$/,
  /^web\/preview\/markdown\/markdown-view\.tsx$/,
  /^web\/ui\/share-gate\/ask-card\.tsx$/,
  /^web\/features\/(paste\/(home|view|view\/editing-loader)|upload\/upload|file-view\/file-view)\.tsx$/,
  // What asks about a session and ends it: a browser that failed to load it once does not try again.
  /^src\/contract\/admin\.ts$/,
  /^web\/api\/session\/key-rights\.ts$/,
];

/** The paths of the scripts in which these sources are (paths in the repository), and of all that these import. */
function scriptsOf(scripts: readonly Script[], wanted: readonly (string | RegExp)[]): string[] {
  const paths = new Set<string>();
  const add = (path: string): void => {
    if (paths.has(path)) return;
    paths.add(path);
    for (const other of scripts.find((script) => script.path === path)?.imports ?? []) add(other);
  };
  const isWanted = (path: string) => wanted.some((one) => (typeof one === "string" ? one === path : one.test(path)));
  for (const { path, sources } of scripts) if (sources.some(isWanted)) add(path);
  return [...paths];
}

/** The words of the pages, each part of each language in a file of its own, but for those that are wanted together. */
interface Words {
  /** The file of each part, where it is another than that of its name. */
  readonly files: Readonly<Record<string, string>>;
  /** All of them, so that one name tells the browser whether it has them. */
  readonly digest: string;
  /** The addresses of parts. */
  pathsOf(language: Language, parts: readonly string[]): string[];
}

/** Parts that stand in the file of another one: each is smaller than what a request costs, and most pages want them at once. */
const joinedWords: Readonly<Record<string, readonly string[]>> = {
  shell: ["share", "reading"],
  paste: ["editing", "leaving"],
  file: ["text"],
};

/** Where they are, behind the folder of the scripts. */
const wordsPath = (language: string, file: string, digest: string): string => `words/${language}/${file}-${digest}.js`;

/** Bundles them. They bear no digests of their own: the first script would list six times as many names as it has parts. */
async function writeWords(): Promise<Words> {
  const parts = await partsOf();
  const fileOf = (loaded: string) =>
    Object.keys(joinedWords).find((file) => joinedWords[file]?.includes(loaded)) ?? loaded;
  const loaded = [...new Set(parts.map((part) => fileOf(part.loaded)))];
  const texts = await Promise.all(
    languageCodes.flatMap((language) =>
      loaded.map(async (file) => ({ language, file, text: await textOfWords(language, file) })),
    ),
  );
  const hash = createHash("sha256");
  for (const { text } of texts) hash.update(text);
  const digest = hash.digest("hex").slice(0, 8);
  for (const { language, file, text } of texts)
    await Bun.write(join(site, "assets", wordsPath(language, file, digest)), text);
  const files = Object.fromEntries(
    parts.flatMap(({ name, loaded }) => (name === fileOf(loaded) ? [] : [[name, fileOf(loaded)]])),
  );
  const pathsOf = (language: Language, names: readonly string[]) => [
    ...new Set(names.map((name) => `/assets/${wordsPath(language, files[name] ?? name, digest)}`)),
  ];
  return { files, digest, pathsOf };
}

/** A file of words with those that stand in it. */
async function textOfWords(language: Language, file: string): Promise<string> {
  const names = [file, ...(joinedWords[file] ?? [])].map((name) => join(here, `web/i18n/${language}/${name}.ts`));
  const { outputs } = await Bun.build({
    entrypoints: ["words.ts"],
    files: { "words.ts": names.map((name) => `export * from ${JSON.stringify(name)};`).join("\n") },
    target: "browser",
    minify: true,
  });
  return (await outputs[0]?.text()) ?? "";
}

/** In the place of the loaders of parts.ts, each of which the first script would have to name. */
const wordsAt = ({ files, digest }: Words): Plugin => ({
  name: "words",
  load: {
    filter: { id: /web[\\/]i18n[\\/]parts\.ts$/ },
    handler: () => `const files = ${JSON.stringify(files)};
      const loaders = (language) => new Proxy({}, { get: (_, part) => () => import("./words/" + language + "/" + (files[part] ?? part) + "-${digest}.js") });
      export const wordLoaders = { ${languageCodes.map((language) => `${language}: loaders("${language}")`).join(", ")} };`,
  },
});

/** Writes into the page of the app what it shows and says without scripts, and makes the pages of shares of it. */
async function writePages(scripts: readonly Script[], words: Words): Promise<void> {
  const path = join(site, "index.html");
  const page = await Bun.file(path).text();
  const preloading = createPreloading(scripts, words, await writePrefetch());
  await writeSharePages(page, preloading);
  const shown = createElement(Fragment, null, createElement(FirstBar), createElement(Scriptless));
  await writeShown(page, shown, "index.html");
  for (const name of openPageNames) {
    const { first, ...rest } = openPages[name];
    for (const language of languageCodes) {
      const parts = createElement(Fragment, null, shown, first && createElement(first, { language }));
      await writeShown(inLanguage(preloading(page, rest), language), parts, openPagePath(name, language));
    }
  }
}

/** What a page of the app says of itself where nothing is shared by it. */
const SITE_HEAD = /<title>Satchel<\/title>\s*<meta name="description"[^>]*>/;

/** Where the app is put. */
const ROOT = '<div id="root">';

/** Writes the script that a page names beside its words, and answers where it is. */
const writePrefetch = async (): Promise<string> =>
  await writeScript("page-prefetch", await bundled(join(here, "web/page-prefetch.ts"), "iife"));

type Preloading = (page: string, first: FirstPage) => string;

/**
 * Makes what has a page name at once every script that it needs, where a browser would find them one after the other: who comes to it for the
 * first time has nothing of the app yet. The first script is to come before them. Words depend on the browser's language: the script at
 * `prefetch` fetches them, and asks for the share.
 */
const createPreloading =
  (scripts: readonly Script[], dictionary: Words, prefetch: string): Preloading =>
  (page, { source, besides = [], where, words, look }) => {
    const linksOf = (paths: readonly string[]) =>
      paths.map((path) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${path}">`).join("");
    const first = scriptsOf(scripts, [`web/${source}`]);
    const later = scriptsOf(
      scripts,
      besides.map((path) => `web/${path}`),
    );
    const named = linksOf(first.filter((path) => !page.includes(path)));
    const more = linksOf(later.filter((path) => !first.includes(path) && !page.includes(path)));
    const spoken = languageCodes.map((language) => {
      return `data-${language}="${dictionary.pathsOf(language, words).join(" ")}"`;
    });
    const asked = look === undefined ? "" : ` data-look="/api${look}"`;
    return page
      .replace(
        "<meta",
        (meta) => `<script async fetchpriority="high" src=${prefetch}${asked} ${spoken.join(" ")}></script>${meta}`,
      )
      .replace("</head>", (end) => named + (where ? `[[#${where}]]${more}[[/${where}]]` : more) + end);
  };

async function writeSharePages(page: string, preloading: Preloading): Promise<void> {
  for (const kind of ["paste", "file", "link"] as const) {
    const { shapes, ...first } = sharePages[kind];
    const shown = createElement(FirstPaint, { kind, shapes: createElement(shapes) });
    for (const language of languageCodes) {
      const told = (named: string) => inLanguage(named, language).replace(SITE_HEAD, () => silentHead(kind, language));
      await writeShown(told(preloading(page, first)), shown, sharePagePath(kind, language));
      if (kind === "link") continue;
      const { path, served, ...more } = servedPages[kind];
      const brought = createElement(Fragment, null, createElement(FirstBar), createElement(served, { language }));
      await writeShown(told(preloading(page, { ...first, ...more })), brought, sharePagePath(path, language));
    }
  }
}

/** A page that says in which language it is. */
const inLanguage = (page: string, language: Language): string =>
  page.replace('<html lang="en"', () => `<html lang="${languages[language].tag}"`);

/** Writes a page with what it shows before its scripts are there. */
const writeShown = (page: string, shown: ReactElement, path: string): Promise<number> =>
  Bun.write(
    join(site, path),
    page.replace(ROOT, (root) => root + renderToStaticMarkup(shown)),
  );

/** What the service worker fetches when it is installed, as Workbox wants it: a revision where the name does not change with the content. */
async function precached(scripts: readonly Script[]): Promise<{ url: string; revision: string | null }[]> {
  const page = await Bun.file(join(site, "index.html")).text();
  const linked = [...page.matchAll(/(?:href|src)="\/(assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  const revision = createHash("sha256").update(page).digest("hex").slice(0, 16);
  const hashed = [...new Set([...scriptsOf(scripts, offlineSources), ...linked])].sort();
  return [{ url: "/index.html", revision }, ...hashed.map((path) => ({ url: `/${path}`, revision: null }))];
}

/** The scripts with the words that the pages need without a connection, by language. */
const wordsOffline = ({ pathsOf }: Words): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(languageCodes.map((language) => [language, pathsOf(language, offlineWords)]));

/** Bundles the service worker with the lists of what it keeps. */
async function buildWorker(files: readonly object[], words: object): Promise<void> {
  await Bun.build({
    entrypoints: [join(here, "web/sw.ts")],
    outdir: site,
    target: "browser",
    format: "iife",
    minify: true,
    plugins: [workersAs(async () => "export default undefined;")],
    define: {
      "process.env.NODE_ENV": '"production"',
      __PRECACHE__: JSON.stringify(files),
      __WORDS__: JSON.stringify(words),
      __VERSION__: JSON.stringify(version),
    },
  });
}

/**
 * Bun writes "narrower than 40rem" as a width of at most 40rem - .001px, which browsers round: at that very width, a usual one, the styles of
 * narrow and wide screens would both hold.
 */
const withSharpWidths = (styles: string): string =>
  styles.replace(/\(max-width:calc\((\d+rem) - \.001px\)\)/g, "(width<$1)");

/** Where the code of a worker is: beside its importer, or in a package. */
const workerOf = (path: string, importer: string): string =>
  Bun.resolveSync(path.replace(/\?worker$/, ""), dirname(importer));

/** The code of a worker with all that it imports. What a package has bundled is taken as it is. */
const codeOfWorker = async (path: string): Promise<string> =>
  path.endsWith(".min.mjs") ? await Bun.file(path).text() : await bundled(path);

/** What `import address from "./x.worker.ts?worker"` answers in built pages: the address of a script of its own. */
const workersBeside: Plugin = {
  name: "workers",
  resolveId: {
    filter: { id: /\?worker$/ },
    handler: (path, importer = here) => `${workerOf(path, importer)}?worker`,
  },
  load: {
    filter: { id: /\?worker$/ },
    async handler(id) {
      const path = id.replace(/\?worker$/, "");
      const address = await writeScript(basename(path, extname(path)), await codeOfWorker(path));
      return {
        code: `import { pathTo } from ${JSON.stringify(join(here, "web/lib/base-path.ts"))}; export default pathTo(${address});`,
        moduleType: "js",
      };
    },
  },
};

/** What such an import answers where Bun bundles: what a module says, in JavaScript. */
const workersAs = (module: (path: string) => Promise<string>): BunPlugin => ({
  name: "workers",
  setup(build) {
    build.onResolve({ filter: /\?worker$/ }, ({ path, importer }) => {
      return { path: workerOf(path, importer), namespace: "worker" };
    });
    build.onLoad({ filter: /./, namespace: "worker" }, async ({ path }) => {
      return { contents: await module(path), loader: "js" };
    });
  },
});

/** A process of its own bundles what a plugin asks for, because Bun.build waits for ever within a plugin of its own. */
async function bundled(path: string, format: "esm" | "iife" = "esm"): Promise<string> {
  const command = [process.execPath, import.meta.path, "--script", path, "--format", format];
  const child = Bun.spawn(command, { cwd: here, stdout: "pipe", stderr: "inherit" });
  const code = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${path} could not be bundled.`);
  return code;
}

/** Writes to standard output what such a process bundles. */
async function printScript(path: string, format: string): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [path],
    target: "browser",
    format: format === "iife" ? "iife" : "esm",
    minify: true,
    plugins: [nothingOfNode],
    // Where the sources of packages are on this machine is nothing to tell.
    define: { __filename: '""', __dirname: '""' },
  });
  await Bun.write(Bun.stdout, outputs[0] ?? "");
}

/** What libheif asks of Node it asks nowhere else: in its place Bun would put half a megabyte. */
const nothingOfNode: BunPlugin = {
  name: "nothing of node",
  setup(build) {
    build.onResolve({ filter: /^(?:fs|path|crypto)$/ }, ({ path }) => ({ path, namespace: "node" }));
    build.onLoad({ filter: /./, namespace: "node" }, () => ({ contents: "export {};", loader: "js" }));
  },
};

/** Writes a script that stands by itself, and returns its address in quotes. */
async function writeScript(name: string, code: string): Promise<string> {
  const path = `assets/${name}-${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
  await Bun.write(join(site, path), code);
  return JSON.stringify(`/${path}`);
}

/** Where the development server has workers, each below by its path in this folder. */
const workersPath = "/assets/workers/";

/** For the development server (bunfig.toml), which writes no files and bundles a worker when a page asks for it. */
export default workersAs(async (path) => `export default ${JSON.stringify(workersPath + relative(here, path))};`);

/** The code of the worker at an address of the development server; undefined where there is none. */
export async function workerAt(address: string): Promise<string | undefined> {
  const path = join(here, address.slice(workersPath.length));
  const isWorker =
    address.startsWith(workersPath) && path.startsWith(join(here, "/")) && /\.worker\.(?:ts|min\.mjs)$/.test(path);
  return isWorker && (await Bun.file(path).exists()) ? await codeOfWorker(path) : undefined;
}

/** Bun cannot bundle a page that names a file the server makes, so the runtime configuration is put in afterwards. */
async function finishPage(path: string): Promise<void> {
  const html = await Bun.file(path).text();
  // The configuration runs before the app, which is a module and as late.
  const script = `<script>${firstScript}</script><script defer src="/config.js"></script><link rel="manifest" href="/manifest.webmanifest"><link rel="apple-touch-icon" href="/icons/180.png">`;
  const rewritten = new HTMLRewriter()
    .on("head", { element: (head) => void head.prepend(script, { html: true }) })
    .transform(html);
  const whole = basename(path) === "index.html" ? rewritten : html;
  // A page is shown at many addresses. The server adds its base path (src/fronts/site/base-path.ts).
  await Bun.write(path, whole.replace(/(?<= (?:href|src)=")\.\//g, "/"));
}

async function copy(from: string, to: string, wanted = /.*/): Promise<void> {
  for await (const path of new Bun.Glob("**/*").scan(join(here, from))) {
    if (wanted.test(path)) await Bun.write(join(site, to, path), Bun.file(join(here, from, path)));
  }
}

/** Compresses a file beside itself, where that is worth it, and says how it is to be served. */
async function describe(name: string): Promise<AssetEntry> {
  const bytes = Buffer.from(await Bun.file(join(site, name)).arrayBuffer());
  const brotli = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const smaller = brotliCompressSync(bytes, { params: brotli });
  const isWorth = smaller.length < Math.min(bytes.length * 0.9, bytes.length - WORTH_COMPRESSING);
  if (isWorth) await Bun.write(join(site, `${name}.br`), smaller);
  return {
    path: `/${name}`,
    type: types[extname(name)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    immutable: /^assets\/(.*-)?[0-9a-z]{8}\.\w+$/.test(name),
    ...(isWorth ? { file: `${name}.br`, encoding: "br" } : { file: name }),
  };
}

/** The files of the site one behind the other: the executable holds one file, where a thousand would each cost it a module. */
const packFile = join(out, "site.pack");

async function writePack(): Promise<PackedEntry[]> {
  const list = (await Bun.file(join(site, assetList)).json()) as AssetEntry[];
  const pack = Bun.file(packFile).writer();
  let end = 0;
  const entries: PackedEntry[] = [];
  for (const { file, ...head } of list) {
    const start = end;
    const bytes = await Bun.file(join(site, file)).bytes();
    pack.write(bytes);
    end += bytes.length;
    entries.push({ ...head, start, end });
  }
  await pack.end();
  return entries;
}

/** Puts the built pages in the place of src/fronts/site/built-assets.ts. */
const embedSite: BunPlugin = {
  name: "embed the site",
  setup(build) {
    build.onLoad({ filter: /fronts[\\/]site[\\/]built-assets\.ts$/ }, async () => {
      const contents = `import pack from ${JSON.stringify(packFile)} with { type: "file" };
        import { packedAssets } from "./assets.ts";
        export const builtAssets = async () => packedAssets(pack, ${JSON.stringify(await writePack())});`;
      return { contents, loader: "ts" };
    });
  },
};

/** Storages are signed for with the keys that an administrator gave them: what would look for others, on disk and in the network, stays out. */
const givenCredentials: BunPlugin = {
  name: "given credentials",
  setup(build) {
    const contents = 'export const defaultProvider = () => { throw new Error("A storage has no keys."); };';
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ path }) => ({ path, namespace: "given" }));
    build.onLoad({ filter: /./, namespace: "given" }, () => ({ contents, loader: "js" }));
  },
};

/**
 * What lies in the folder where somebody starts the executable is not part of it: a bunfig.toml there would run code, a .env would set
 * its configuration.
 */
const readsNothing = {
  autoloadBunfig: false,
  autoloadDotenv: false,
  autoloadTsconfig: false,
  autoloadPackageJson: false,
};

/** Puts the key of releases, once the project has one, and the name of the system in the place of src/upgrade/built.ts. */
const embedUpgrade = (target: string | undefined): BunPlugin => ({
  name: "embed what an upgrade needs",
  setup(build) {
    build.onLoad({ filter: /upgrade[\\/]built\.ts$/ }, async () => {
      const key = Bun.file(join(here, "deploy/minisign.pub"));
      const text = (await key.exists()) ? JSON.stringify(await key.text()) : "undefined";
      const contents = `export const releaseKey = ${text}; export const builtFor = "${systemOf(target)}";`;
      return { contents, loader: "ts" };
    });
  },
});

/** A system as archives of releases name it. */
function systemOf(target: string | undefined): string {
  const { platform, arch, report } = process;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  const libc = platform === "linux" && header.glibcVersionRuntime === undefined ? "-musl" : "";
  return target?.replace(/^bun-|-baseline$/g, "") ?? `${platform === "win32" ? "windows" : platform}-${arch}${libc}`;
}

/** What an executable is made for: another system as Bun names it, and Bun for that system where Bun is not to fetch it itself. */
interface Machine {
  readonly target?: string | undefined;
  readonly runtime?: string | undefined;
}

/** Compiles the server and the built pages into one file. */
async function buildExecutable({ target, runtime }: Machine): Promise<void> {
  const name = target ? `satchel-${target.replace(/^bun-/, "")}` : "satchel";
  await mkdir(out, { recursive: true });
  await Bun.build({
    entrypoints: [join(here, "src/main.ts")],
    compile: {
      outfile: join(out, name),
      ...readsNothing,
      ...(target && { target: target as never }),
      ...(runtime && { executablePath: runtime }),
    },
    minify: true,
    bytecode: true,
    plugins: [embedSite, embedUpgrade(target), givenCredentials],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  process.stdout.write(`${relative(here, join(out, name))} ${version}\n`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      ...{ web: { type: "boolean" }, target: { type: "string" }, runtime: { type: "string" } },
      ...{ script: { type: "string" }, format: { type: "string" } },
    },
  });
  if (values.script) await printScript(values.script, values.format ?? "");
  else {
    await updateWeb();
    if (!values.web) await buildExecutable(values);
  }
}
