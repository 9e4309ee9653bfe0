import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import type { BuildMetafile, BunPlugin } from "bun";
import tailwind from "bun-plugin-tailwind";
import { createElement, Fragment, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { version } from "./package.json";
import { files } from "./src/contract/files.ts";
import { type Language, languageCodes, languages } from "./src/contract/languages.ts";
import { links } from "./src/contract/links.ts";
import { pastes } from "./src/contract/pastes.ts";
import { type AssetEntry, assetList, type PackedEntry } from "./src/fronts/site/assets.ts";
import { silentHead, themeScript } from "./src/fronts/site/head.ts";
import { sharePagePath } from "./src/fronts/site/share-page-files.ts";
import { FirstBar, FirstPaint, Scriptless } from "./web/app/first-paint.tsx";
import { LinkShapes } from "./web/features/explorer/link/link-shapes.tsx";
import { FileShapes } from "./web/features/file-view/shapes.tsx";
import { ReadingShapes } from "./web/features/paste/view/reading-shapes.tsx";
import { ServedText } from "./web/features/paste/view/served-text.tsx";

/**
 * bun build.ts --web             the pages, into dist/web
 * bun build.ts [--target T]      the pages and the executable dist/satchel (T as Bun names it, e.g. bun-linux-arm64)
 *
 * The pages are built only when a source of theirs has changed, or when dist/web is not what the last build wrote.
 */
const here = import.meta.dir;
const out = join(here, "dist");
const site = join(out, "web");
/** Two lines: the digest of the sources of the pages, and the digest of the built pages. */
const fingerprint = join(out, "web.fingerprint");
/** Everything that the built pages depend on. The lock file stands for the packages. */
const sources = [
  "web/**/*",
  "src/contract/**/*",
  "src/fronts/site/{assets,head,share-page-files}.ts",
  "{package,tsconfig}.json",
  "bun.lock",
  "bunfig.toml",
  "build.ts",
];

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

/** Builds the pages unless dist/web already holds what these sources make. The fingerprint is written last. */
async function updateWeb(): Promise<void> {
  const wanted = await digestOf(here, sources);
  if (await isBuiltFrom(wanted)) return void process.stdout.write("dist/web is up to date.\n");
  await rm(fingerprint, { force: true });
  await buildWeb();
  await Bun.write(fingerprint, `${wanted}\n${await digestOf(site, ["**/*"])}\n`);
  process.stdout.write("dist/web is built.\n");
}

/** Reports whether dist/web is whole and was built from the sources with this digest. */
async function isBuiltFrom(wanted: string): Promise<boolean> {
  if (!existsSync(fingerprint) || !existsSync(site)) return false;
  const [from, built] = (await Bun.file(fingerprint).text()).split("\n");
  return from === wanted && built === (await digestOf(site, ["**/*"]));
}

/** Returns the SHA-256 digest of the names and contents of the files that match the patterns, and of Bun's version. */
async function digestOf(folder: string, patterns: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(Bun.version);
  const scans = patterns.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan(folder)));
  for (const path of (await Promise.all(scans)).flat().sort()) {
    const bytes = await Bun.file(join(folder, path)).bytes();
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/** Bundles the pages, compresses every file and writes the list that the site front serves from. */
async function buildWeb(): Promise<void> {
  await rm(site, { recursive: true, force: true });
  const { outputs, metafile } = await Bun.build({
    entrypoints: [join(here, "web/index.html"), join(here, "web/docs.html")],
    outdir: site,
    target: "browser",
    minify: true,
    splitting: true,
    // What the pages are made of finds its parts beside itself, at whatever path the server is.
    publicPath: "",
    plugins: [
      tailwind,
      moduleShims,
      plainIcons,
      workersAs(async (name, code) => `pathTo(${await writeScript(name, code)})`),
    ],
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
    // Chunks bear no names, because the first of them lists all the others: a share page has 1,300 bytes less.
    naming: { entry: "[name].[ext]", chunk: "assets/[hash].[ext]", asset: "assets/[name]-[hash].[ext]" },
  });
  const pages = outputs.filter(({ path }) => path.endsWith(".html")).map(({ path }) => path);
  for (const page of pages) await finishPage(page);
  for (const { path } of outputs.filter(({ path }) => path.endsWith(".js"))) await shortenPreloads(path);
  for (const { path } of outputs.filter(({ path }) => path.endsWith(".css"))) await sharpenWidths(path);
  await copy("web/public", "");
  await copy("node_modules/katex/dist", "assets/katex", /^(katex\.min\.css|fonts\/.*\.woff2)$/);
  // What pdf.js fetches for some files: encodings of East Asian fonts, the fonts that a PDF need not bring, decoders of pictures.
  await copy(
    "node_modules/pdfjs-dist",
    "assets/pdfjs",
    /^(cmaps\/.*\.bcmap|standard_fonts\/.*\.(pfb|ttf)|wasm\/(openjpeg|jbig2|qcms_bg)\.wasm|iccs\/.*\.icc)$/,
  );

  if (!metafile) throw new Error("The bundler did not say what imports what.");
  await writePages(metafile);
  await buildWorker(await precached(metafile));

  const paths = await Array.fromAsync(new Bun.Glob("**/*").scan(site));
  const assets = await Promise.all(paths.sort().map(describe));
  await Bun.write(join(site, assetList), JSON.stringify(assets));
}

/** What the pages of shares are made of, say, ask and show first, by the first part of their address. */
const sharePages = {
  paste: {
    source: "features/paste/view.tsx",
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

/** Sources whose chunks, with all that these import, open without a connection from the first visit on; others once they were loaded. */
const offlineSources = [
  /^web\/main\.tsx$/,
  /^web\/app\/(guarded-admin|offline\/\w+)\.tsx$/,
  /^web\/features\/(paste\/(home|view|view\/editing-loader)|upload\/upload|file-view\/file-view)\.tsx$/,
  /^web\/i18n\/(zh|en)\/(shell|share|paste|reading|editing|file|upload|admin|leaving|offline)\.ts$/,
  // What asks about a session and ends it: a browser that failed to load it once does not try again.
  /^src\/contract\/admin\.ts$/,
  /^web\/api\/key-rights\.ts$/,
];

/** The scripts in which these sources are (paths in the repository), and all that these import. */
function scriptsOf({ outputs }: BuildMetafile, sources: readonly (string | RegExp)[]): string[] {
  const wanted = new Set<string>();
  const add = (path: string): void => {
    if (wanted.has(path)) return;
    wanted.add(path);
    for (const one of outputs[path]?.imports ?? [])
      if (one.kind !== "dynamic-import" && outputs[one.path]) add(one.path);
  };
  for (const [path, { inputs, entryPoint = "" }] of Object.entries(outputs)) {
    const isWanted = (input: string) =>
      sources.some((source) => (typeof source === "string" ? source === input : source.test(input)));
    // A script that only hands on what is in another one has no inputs.
    if ([...Object.keys(inputs), entryPoint].some(isWanted)) add(path);
  }
  return [...wanted].filter((path) => path.endsWith(".js")).map((path) => path.replace(/^\.\//, ""));
}

/** Writes into the page of the app what it says without scripts, and makes the pages of shares of it. */
async function writePages(metafile: BuildMetafile): Promise<void> {
  const path = join(site, "index.html");
  const page = await Bun.file(path).text();
  await writeSharePages(page, metafile);
  await Bun.write(
    path,
    page.replace(ROOT, (root) => root + renderToStaticMarkup(createElement(Scriptless))),
  );
}

/** What a page of the app says of itself where nothing is shared by it. */
const SITE_HEAD = /<title>Satchel<\/title>\s*<meta name="description"[^>]*>/;

/** Where the app is put. */
const ROOT = '<div id="root">';

/**
 * Who follows a link to a share has nothing of the app yet: its page names at once every script that it needs, where a browser would find
 * them one after the other. The first script is to come before them. Words depend on the browser's language: web/share-prefetch.ts fetches them,
 * and asks for the share.
 */
async function writeSharePages(page: string, metafile: BuildMetafile): Promise<void> {
  const prefetch = await writeScript("share-prefetch", await bundled(join(here, "web/share-prefetch.ts"), "iife"));
  for (const kind of ["paste", "file", "link"] as const) {
    const { source, words, look, shapes } = sharePages[kind];
    const links = scriptsOf(metafile, [`web/${source}`])
      .filter((path) => !page.includes(path))
      .map((path) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${path}">`);
    const spoken = languageCodes.map((language) => {
      const scripts = scriptsOf(
        metafile,
        words.map((part) => `web/i18n/${language}/${part}.ts`),
      );
      return `data-${language}="${scripts.map((path) => `/${path}`).join(" ")}"`;
    });
    const prefetchTag = `<script async src=${prefetch} data-look="/api${look}" ${spoken.join(" ")}></script>`;
    const named = page
      .replace("<meta", () => `${prefetchTag}<meta`)
      .replace("</head>", () => `${links.join("")}</head>`);
    const shown = createElement(FirstPaint, { kind, shapes: createElement(shapes) });
    for (const language of languageCodes) {
      const told = named
        .replace('<html lang="en"', () => `<html lang="${languages[language].tag}"`)
        .replace(SITE_HEAD, () => silentHead(kind, language));
      await writeSharePage(told, shown, sharePagePath(kind, language));
      if (kind === "paste") await writeSharePage(told, servedText(language), sharePagePath("text", language));
    }
  }
}

const servedText = (language: Language) =>
  createElement(Fragment, null, createElement(FirstBar), createElement(ServedText, { language }));

const writeSharePage = (page: string, shown: ReactElement, path: string): Promise<number> =>
  Bun.write(
    join(site, path),
    page.replace(ROOT, (root) => root + renderToStaticMarkup(shown)),
  );

/** What the service worker fetches when it is installed, as Workbox wants it: a revision where the name does not change with the content. */
async function precached(metafile: BuildMetafile): Promise<{ url: string; revision: string | null }[]> {
  const scripts = scriptsOf(metafile, offlineSources);
  const page = await Bun.file(join(site, "index.html")).text();
  const linked = [...page.matchAll(/(?:href|src)="\/(assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  const revision = createHash("sha256").update(page).digest("hex").slice(0, 16);
  const hashed = [...new Set([...scripts, ...linked])].sort();
  return [{ url: "/index.html", revision }, ...hashed.map((path) => ({ url: `/${path}`, revision: null }))];
}

/** Bundles the service worker with the list of what it keeps. */
async function buildWorker(files: readonly object[]): Promise<void> {
  await Bun.build({
    entrypoints: [join(here, "web/sw.ts")],
    outdir: site,
    target: "browser",
    format: "iife",
    minify: true,
    define: {
      "process.env.NODE_ENV": '"production"',
      __PRECACHE__: JSON.stringify(files),
      __VERSION__: JSON.stringify(version),
    },
  });
}

/** What the pages need less of than a package brings; each module says why. */
const moduleShims: BunPlugin = {
  name: "module-shims",
  setup(build) {
    const shim = (name: RegExp, path: string) => build.onResolve({ filter: name }, () => ({ path: join(here, path) }));
    const markdown = "web/preview/markdown/shims";
    shim(/^entities$/, `${markdown}/entities.ts`);
    shim(/^(?:mdurl|punycode\.js)$/, `${markdown}/addresses.ts`);
    shim(/^uc\.micro$/, `${markdown}/letters.ts`);
    shim(/^(?:linkify-it|\.\/rules_core\/(?:smartquotes|replacements)\.mjs)$/, `${markdown}/unused.ts`);
    shim(/^zod\/mini$/, "web/api/no-schemas.ts");
  },
};

/** The random keys of lucide's icons are what compresses worst in them. Numbers do as well, and a share page has 600 bytes less. */
const plainIcons: BunPlugin = {
  name: "plain-icons",
  setup(build) {
    build.onLoad({ filter: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/][\w-]+\.mjs$/ }, async ({ path }) => {
      let keys = 0;
      const icon = await Bun.file(path).text();
      const contents = icon.replace(/\bkey: "\w+"/g, () => `key: "${keys++}"`).replace("__iconData.node;\n", "");
      return { contents, loader: "js" };
    });
  },
};

/**
 * Bun writes into the first script what every part of every page imports, so that a browser can fetch the parts of a part at once: five
 * kilobytes that each page pays for diagrams and languages it may never show. This leaves in only what pages themselves need; for any
 * other part the browser learns of its imports when it reads it. A part that imports nothing, as dictionaries do, needs no entry.
 */
async function shortenPreloads(path: string): Promise<void> {
  const code = await Bun.file(path).text();
  const found = /\w+\(import\.meta\.url,(\[(?:"\w+",?)+\]),(\[\[.*?\]\]),(\d+)\)/.exec(code);
  if (!found) return;
  const [call, names = "[]", rows = "[]", own = "0"] = found;
  const hashes = JSON.parse(names) as string[];
  const parts = JSON.parse(rows) as [path: string, ...imports: number[]][];
  const kept = new Set([Number(own)]);
  const imports = (place: number) => parts[place]?.slice(1).map(Number) ?? [];
  const lean = code.replace(/\(\w+\("(\w{8})"\),(import\("[^"]+"\))\)/g, (all, hash: string, load: string) => {
    const place = hashes.indexOf(hash);
    if (imports(place).length === 0) return `(${load})`;
    kept.add(place);
    return all;
  });
  for (const part of kept) for (const other of imports(part)) kept.add(other);
  const places = [...kept].filter((place) => parts[place]);
  const moved = (place: number) => places.indexOf(place);
  const shorter = places.map((place) => [parts[place]?.[0], ...imports(place).map(moved)]);
  const lists = [places.map((place) => hashes[place]), shorter].map((list) => JSON.stringify(list));
  await Bun.write(
    path,
    lean.replace(
      call,
      `${call.slice(0, call.indexOf("(") + 1)}import.meta.url,${lists.join(",")},${moved(Number(own))})`,
    ),
  );
}

/**
 * Bun writes "narrower than 40rem" as a width of at most 40rem - .001px, which browsers round: at that very width, a usual one, the styles of
 * narrow and wide screens would both hold.
 */
async function sharpenWidths(path: string): Promise<void> {
  const styles = await Bun.file(path).text();
  await Bun.write(path, styles.replace(/\(max-width:calc\((\d+rem) - \.001px\)\)/g, "(width<$1)"));
}

/**
 * What `import address from "./x.worker.ts?worker"` answers: the address of the code with all that it imports. A process of its own bundles
 * it, because Bun.build waits for ever within a plugin. What a package has bundled is taken as it is.
 */
const workersAs = (address: (name: string, code: string) => Promise<string>): BunPlugin => ({
  name: "workers",
  setup(build) {
    build.onResolve({ filter: /\?worker$/ }, ({ path, importer }) => {
      return { path: Bun.resolveSync(path.replace(/\?worker$/, ""), dirname(importer)), namespace: "worker" };
    });
    build.onLoad({ filter: /./, namespace: "worker" }, async ({ path }) => {
      const code = path.endsWith(".min.mjs") ? await Bun.file(path).text() : await bundled(path);
      const contents = `import { pathTo } from ${JSON.stringify(join(here, "web/lib/base-path.ts"))};
        export default ${await address(basename(path, extname(path)), code)};`;
      return { contents, loader: "js" };
    });
  },
});

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

/** For the development server (bunfig.toml), which writes no files. */
export default workersAs(async (_, code) => {
  return `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: "text/javascript" }))`;
});

/** Bun cannot bundle a page that names a file the server makes, so the runtime configuration is put in afterwards. */
async function finishPage(path: string): Promise<void> {
  const html = await Bun.file(path).text();
  // The configuration runs before the app, which is a module and as late.
  const script = `<script>${themeScript}</script><script defer src="/config.js"></script><link rel="manifest" href="/manifest.webmanifest"><link rel="apple-touch-icon" href="/icons/180.png">`;
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
