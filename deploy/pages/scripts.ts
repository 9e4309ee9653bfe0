import { createHash } from "node:crypto";
import { basename, extname, join, relative } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { type OutputChunk, type OutputOptions, type Plugin, type RolldownBuild, rolldown } from "rolldown";
import { shortContract } from "./contract.ts";
import { joinedChunks, type Load } from "./joined-chunks.ts";
import { moduleShims, plainIcons, quietRouter } from "./packages.ts";

/** A script of the pages as it was written. */
export interface Script {
  /** From the folder of the site. */
  readonly path: string;
  readonly imports: readonly string[];
  /** Of what modules it is made: paths from the root of the repository. */
  readonly sources: readonly string[];
}

/**
 * How often each part is loaded, in comparison with others: readers of shares come most, and come once. What is not named here is loaded
 * when somebody wants it, and so seldom that it does not count (parts of packages).
 */
const loads: readonly (readonly [RegExp, Load])[] = [
  [/^web\/main\.tsx$/, { often: 1, when: "always" }],
  [/^web\/features\/paste\/view\.tsx$/, { often: 30, when: "first" }],
  [/^web\/features\/file-view\/file-view\.tsx$/, { often: 6, when: "first" }],
  [/^web\/features\/paste\/home\.tsx$/, { often: 10, when: "first" }],
  [/^web\/features\/explorer\/link\/link-page\.tsx$/, { often: 2, when: "first" }],
  [/^web\/app\/guarded-(explorer|admin)\.tsx$/, { often: 2, when: "first" }],
  [/^web\/features\/admin\/pages\.ts$/, { often: 2, when: "first" }],
  [/^web\/features\/upload\/upload\.tsx$/, { often: 1, when: "first" }],
  // What texts with a password, Home, a session and a page at rest ask for by themselves.
  [/^web\/ui\/share-gate\/ask-card\.tsx$/, { often: 2, when: "later" }],
  [/^web\/features\/paste\/editor\/surface\/code-surface\.tsx$/, { often: 10, when: "later" }],
  [/^web\/preview\/markdown\/(markdown-view\.tsx|render\.ts)$/, { often: 16, when: "later" }],
  [/^(src\/contract\/admin|web\/api\/session\/key-rights)\.ts$/, { often: 6, when: "later" }],
  [/^web\/app\/offline\/start\.tsx$/, { often: 10, when: "later" }],
  [/^web\/preview\/(image\/image-viewer|text\/text-viewer)\.tsx$/, { often: 1, when: "later" }],
  [/^(web|src)\//, { often: 0.1, when: "later" }],
];

/** What a request costs beside its bytes: what a phone's network could bring meanwhile, where a browser sends six at once. */
const REQUEST = 2000;

/** Splits and bundles the scripts of the app into a folder of the site. `plugins` say what addresses mean that only the build knows. */
export async function writeScripts(
  root: string,
  entry: string,
  site: string,
  plugins: readonly Plugin[],
): Promise<readonly Script[]> {
  const bundle = await rolldown({
    input: join(root, entry),
    cwd: root,
    platform: "browser",
    // Parts of the app ask for a module by name, so that it may stand in any script.
    preserveEntrySignatures: false,
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    plugins: [...plugins, moduleShims(root), quietRouter, plainIcons, shortContract, filesBeside(site), noStyles],
    onLog(level, log, report) {
      // Packages mark what runs in browsers, which is where all of this does; and what is loaded by itself may be joined with what loads it.
      const isKnown = /^(?:MODULE_LEVEL_DIRECTIVE|INEFFECTIVE_DYNAMIC_IMPORT)$/.test(log.code ?? "");
      if (!isKnown) report(level, log);
    },
  });
  try {
    const groups = await joinedGroups(bundle, root);
    const name = (module: string) => groups.get(module) ?? null;
    const codeSplitting = { includeDependenciesRecursively: false, groups: [{ debugName: "joined", name }] };
    const chunks = chunksIn(await bundle.generate({ ...form, codeSplitting }));
    for (const { fileName, code } of chunks) await Bun.write(join(site, fileName), code);
    return chunks.map(({ fileName, imports, moduleIds }) => {
      return { path: fileName, imports, sources: moduleIds.map((module) => relative(root, module)) };
    });
  } finally {
    await bundle.close();
  }
}

/** Scripts bear no names, because those of all that it may load stand in each of them. */
const form: OutputOptions = {
  format: "es",
  minify: true,
  comments: false,
  hashCharacters: "base36",
  entryFileNames: "assets/[hash].js",
  chunkFileNames: "assets/[hash].js",
};

const chunksIn = ({ output }: Awaited<ReturnType<RolldownBuild["generate"]>>): OutputChunk[] =>
  output.filter((one) => one.type === "chunk");

/** Bundles for once as the bundler splits by itself, and answers for each module in which script it is to stand. */
async function joinedGroups(bundle: RolldownBuild, root: string): Promise<ReadonlyMap<string, string>> {
  const chunks = chunksIn(await bundle.generate(form));
  const loaded = new Set(
    chunks.flatMap(({ fileName, isEntry, dynamicImports }) => [...(isEntry ? [fileName] : []), ...dynamicImports]),
  );
  const pieces = chunks.map(({ fileName, code, imports, facadeModuleId, moduleIds }) => {
    const size = brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
    // What is loaded by itself and needed by others as well has no face of its own.
    const sources = (facadeModuleId === null ? moduleIds : [facadeModuleId]).map((module) => relative(root, module));
    const load = loads.find(([path]) => sources.some((source) => path.test(source)))?.[1];
    return { name: fileName, size, needs: imports, ...(load && loaded.has(fileName) && { load }) };
  });
  const modules = new Map(chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds]));
  const groups = joinedChunks(pieces, REQUEST).map((names) => names.flatMap((name) => modules.get(name) ?? []));
  return new Map(groups.flatMap((ids, place) => ids.map((id) => [id, `group-${place}`] as const)));
}

/** A file that is imported as such is an address, which is relative to the scripts beside it. */
const filesBeside = (site: string): Plugin => ({
  name: "files",
  load: {
    filter: { id: /\.wasm$/ },
    async handler(path) {
      const bytes = await Bun.file(path).bytes();
      const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
      const name = `${basename(path, extname(path))}-${digest}${extname(path)}`;
      await Bun.write(join(site, "assets", name), bytes);
      return { code: `export default ${JSON.stringify(`./${name}`)};`, moduleType: "js" };
    },
  },
});

/** The styles of all parts are in one file, which Bun makes with Tailwind. */
const noStyles: Plugin = {
  name: "no-styles",
  load: { filter: { id: /\.css$/ }, handler: () => ({ code: "", moduleType: "js", moduleSideEffects: false }) },
};
