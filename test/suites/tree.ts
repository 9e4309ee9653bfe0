import { expect, test } from "bun:test";

/** A way into the tree; each verb answers what it has to say, or the code of the failure. */
export interface TreeClient extends AsyncDisposable {
  readonly verbs: Readonly<Record<TreeVerb, (...words: string[]) => Promise<string>>>;
  /** Whether a path can be said through this client; lines with others are left out. */
  readonly canSay?: (path: string) => boolean;
}

export type TreeVerb = "put" | "get" | "list" | "stat" | "mkdir" | "move" | "copy" | "keep" | "remove" | "search";

/** A blank in a name; words of a line are separated by real ones. */
const BLANK = /␣/g;

/**
 * Lines of what is done and what comes of it: `put /m/a.txt AAA -> ok`. In lists folders end in a slash. `copy` writes over what
 * is there, `keep` copies what is not.
 */
const scripts: Readonly<Record<string, string>> = {
  files: `
    list /m -> 
    put /m/a.txt AAA -> ok
    get /m/a.txt -> AAA
    stat /m/a.txt -> file 3
    put /m/a.txt BB -> ok
    get /m/a.txt -> BB
    list /m -> a.txt
    get /m/b.txt -> path.missing
    put /m/empty  -> ok
    stat /m/empty -> file 0
    list /m -> a.txt empty
    remove /m/a.txt -> ok
    get /m/a.txt -> path.missing
    list /m/ -> empty
    remove /m/a.txt -> ok`,

  folders: `
    mkdir /m/d -> ok
    list /m -> d/
    list /m/d -> 
    stat /m/d -> folder
    stat /m/d/ -> folder
    get /m/d -> path.isFolder
    mkdir /m/d -> ok
    mkdir /m/x/y/z -> ok
    list /m -> d/ x/
    list /m/x -> y/
    put /m/d/e/f.txt F -> ok
    list /m/d -> e/
    list /m/d/e -> f.txt
    put /m/d X -> path.isFolder
    put /m/d/e/f.txt/g X -> path.conflict
    put /m/d/e/f.txt/g/h X -> path.conflict
    mkdir /m/d/e/f.txt -> path.taken
    mkdir /m/d/e/f.txt/g -> path.conflict
    mkdir /m/d/e/f.txt/g/h -> path.conflict
    list /m/d/e/f.txt -> path.isFile
    list /m/nothing -> path.missing
    remove /m/d/e/f.txt -> ok
    list /m/d -> e/
    remove /m/x -> ok
    list /m -> d/
    remove /m/d -> ok
    list /m -> `,

  moves: `
    put /m/a.txt AAA -> ok
    move /m/a.txt /m/b.txt -> ok
    list /m -> b.txt
    get /m/b.txt -> AAA
    put /m/d/one 1 -> ok
    put /m/d/sub/two 22 -> ok
    mkdir /m/d/hollow -> ok
    move /m/d/ /m/e/ -> ok
    list /m -> e/ b.txt
    list /m/e -> hollow/ sub/ one
    get /m/e/sub/two -> 22
    stat /m/d -> path.missing
    move /m/b.txt /m/e/b.txt -> ok
    move /m/e/b.txt /m/new/deep/b.txt -> ok
    get /m/new/deep/b.txt -> AAA
    move /m/e/one /m/e/sub -> path.taken
    move /m/e/one /m/new/deep/b.txt -> path.taken
    get /m/new/deep/b.txt -> AAA
    move /m/e/ /m/e/sub/e/ -> path.into
    move /m/e/ /m/e/ -> path.into
    move /m/e/one /m/e/one -> path.into
    move /m/nothing /m/something -> path.missing
    move /m/e/one /m/e/sub/two/one -> path.conflict
    get /m/e/one -> 1`,

  copies: `
    put /m/a.txt AAA -> ok
    copy /m/a.txt /m/b.txt -> ok
    get /m/b.txt -> AAA
    put /m/b.txt B -> ok
    keep /m/a.txt /m/b.txt -> skipped
    get /m/b.txt -> B
    copy /m/a.txt /m/b.txt -> ok
    get /m/b.txt -> AAA
    put /m/d/one 1 -> ok
    put /m/d/sub/two 22 -> ok
    mkdir /m/d/hollow -> ok
    copy /m/d /m/e -> ok
    list /m/e -> hollow/ sub/ one
    get /m/e/sub/two -> 22
    put /m/e/one 111 -> ok
    keep /m/d /m/e -> skipped
    get /m/e/one -> 111
    copy /m/d /m/d/again -> path.into
    copy /m /m/again -> path.into
    copy / /m/again -> path.into
    copy /m/e/sub /m/a.txt -> path.conflict
    copy /m/nothing /m/x -> path.missing
    copy /m/a.txt /m/d -> path.taken
    list /m/d -> hollow/ sub/ one`,

  "odd names": `
    put /m/数␣字's␣#1%?+&=🔑.txt odd -> ok
    get /m/数␣字's␣#1%?+&=🔑.txt -> odd
    put /m/100%25␣%2e%2e/a%2Fb.txt percent -> ok
    get /m/100%25␣%2e%2e/a%2Fb.txt -> percent
    list /m -> 100%25␣%2e%2e/ 数␣字's␣#1%?+&=🔑.txt
    list /m/100%25␣%2e%2e -> a%2Fb.txt
    move /m/100%25␣%2e%2e/ /m/%/ -> ok
    get /m/%/a%2Fb.txt -> percent
    put /m/_%_ like -> ok
    put /m/-␣-.tar.gz dash -> ok
    put /m/\`$(x);'"<>| shell -> ok
    get /m/\`$(x);'"<>| -> shell
    copy /m/\`$(x);'"<>| /m/%/😀 -> ok
    get /m/%/😀 -> shell
    put /m/%/...a dots -> ok
    remove /m/% -> ok
    list /m -> -␣-.tar.gz _%_ \`$(x);'"<>| 数␣字's␣#1%?+&=🔑.txt`,

  "other spellings": `
    put /m/cafe\u0301.txt decomposed -> ok
    get /m/caf\u00e9.txt -> decomposed
    put /m/caf\u00e9.txt composed -> ok
    get /m/cafe\u0301.txt -> composed
    list /m -> cafe\u0301.txt
    move /m/caf\u00e9.txt /m/d/e.txt -> ok
    list /m -> d/
    put /m/u\u0308/\u00e9/a.txt mixed -> ok
    get /m/\u00fc/e\u0301/a.txt -> mixed
    put /m/\u00fc/e\u0301/b.txt beside -> ok
    mkdir /m/\u00fc/e\u0301/c -> ok
    move /m/d/e.txt /m/\u00fc/\u00e9/e.txt -> ok
    copy /m/\u00fc/\u00e9/e.txt /m/\u00fc/e\u0301/f.txt -> ok
    list /m/\u00fc/\u00e9 -> c/ a.txt b.txt e.txt f.txt
    list /m/\u00fc -> \u00e9/
    remove /m/d -> ok
    list /m -> u\u0308/
    remove /m/\u00fc -> ok
    list /m -> `,

  "what nobody may touch": `
    remove / -> path.root
    remove /m -> path.mount
    remove /m/ -> path.mount
    move /m /x -> path.mount
    move /m/ /m/x/ -> path.mount
    mkdir / -> path.root
    put / X -> path.root
    put /m X -> path.mount
    put /nowhere/x X -> mount.none
    mkdir /nowhere -> mount.none
    list /nowhere -> mount.none
    list / -> m/
    stat / -> folder
    stat /m -> folder`,

  "bad paths": `
    get /m/../a -> path.invalid
    get /m/./a -> path.invalid
    get m/a -> path.invalid
    get /m/a\u0000b -> path.invalid
    get /m/a\\b -> path.invalid
    put /m/..  X -> path.invalid
    get /m/${"x".repeat(2001)} -> path.invalid
    put /m/${"y".repeat(300)} X -> path.invalid
    put /m//double///slash X -> ok
    get /m/double/slash -> X
    put /m/${"z".repeat(251)}.txt long -> ok
    get /m/${"z".repeat(251)}.txt -> long`,

  search: `
    put /m/Holiday␣2024.jpg 1 -> ok
    put /m/trips/holiday.txt 22 -> ok
    put /m/trips/my␣holidays/a.txt 333 -> ok
    put /m/中文/报告.md 4 -> ok
    search holiday -> /m/Holiday␣2024.jpg /m/trips/holiday.txt /m/trips/my␣holidays/
    search 报告 -> /m/中文/报告.md
    search HOLIDAY.T -> /m/trips/holiday.txt
    search nothing -> 
    move /m/trips/ /m/travel/ -> ok
    search holidays -> /m/travel/my␣holidays/
    remove /m/travel -> ok
    search holiday -> /m/Holiday␣2024.jpg
    copy /m/Holiday␣2024.jpg /m/again/Holiday.jpg -> ok
    search holiday.j -> /m/again/Holiday.jpg`,
};

/** Every verb of the tree through one client, on a mount `/m` that holds nothing; `without` names what means something else there. */
export function treeSuite(name: string, open: () => Promise<TreeClient>, without: readonly string[] = []): void {
  for (const [title, script] of Object.entries(scripts)) {
    if (without.includes(title)) continue;
    test(`${name}: ${title}`, async () => {
      await using client = await open();
      const seen: string[] = [];
      const lines = script
        .split("\n")
        .map((line) => line.replace(/^ +/, ""))
        .filter(
          (line) =>
            line !== "" && !line.split(" ").some((word) => word.includes("/") && client.canSay?.(word) === false),
        );
      for (const line of lines) {
        const [doing = ""] = line.split(" -> ");
        const [verb = "", ...words] = doing.split(" ").map((word) => word.replace(BLANK, " "));
        const said = await client.verbs[verb as TreeVerb](...words);
        seen.push(`${doing} -> ${said}`);
      }
      expect(seen).toEqual(lines);
    });
  }
}

/** A name as lines write it. */
export const inLine = (name: string): string => name.replaceAll(" ", "␣");

/** The names of a list or the paths of a search, as lines write them. */
export const inLines = (names: readonly string[]): string => names.map(inLine).join(" ");
