import { endingOf } from "#contract/file-kinds";

/** Grammars of highlight.js by the endings of names, where they are not called as their grammar is. */
const grammars: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    bash: "sh bash zsh ksh profile bashrc zshrc env envrc",
    c: "c h",
    cpp: "cpp hpp cc cxx hh ino",
    csharp: "cs",
    css: "css",
    diff: "diff patch",
    dockerfile: "dockerfile containerfile",
    go: "go",
    graphql: "graphql gql",
    ini: "ini toml conf cfg properties editorconfig gitconfig npmrc",
    java: "java",
    javascript: "js mjs cjs jsx",
    json: "json jsonc json5 webmanifest geojson ipynb map",
    kotlin: "kt kts",
    less: "less",
    lua: "lua",
    makefile: "makefile mk",
    markdown: "md markdown mdown mkd rmd",
    nginx: "nginx",
    objectivec: "m mm",
    perl: "pl pm",
    php: "php phtml",
    powershell: "ps1 psm1",
    python: "py pyw gyp",
    r: "r",
    ruby: "rb gemfile rakefile",
    rust: "rs",
    scss: "scss",
    sql: "sql",
    swift: "swift",
    typescript: "ts tsx mts cts",
    vbnet: "vb",
    wasm: "wat",
    xml: "xml html htm xhtml svg vue xsl xsd plist rss atom csproj",
    yaml: "yml yaml",
  }).flatMap(([grammar, endings]) => endings.split(" ").map((ending) => [ending, grammar])),
);

/** The grammar that colours a file of this name; undefined for prose. */
export const grammarFor = (filename: string): string | undefined => {
  const ending = endingOf(filename);
  return Object.hasOwn(grammars, ending) ? grammars[ending] : undefined;
};
