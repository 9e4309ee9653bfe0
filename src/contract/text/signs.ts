/** A line of this shape speaks for a language, so much. */
export type Sign = readonly [weight: number, shape: RegExp];

export interface LanguageSigns {
  readonly name: string;
  /** Of highlight.js. */
  readonly grammar: string;
  /** Without a line like this it is something else. */
  readonly needs?: RegExp;
  readonly signs: readonly Sign[];
}

const COMMANDS =
  "apt|apt-get|awk|brew|cargo|cat|cd|chmod|chown|cp|curl|docker|docker-compose|dnf|git|go|grep|helm|journalctl|kubectl|ln|ls|make|mkdir|mv|nginx|npm|npx|openssl|pip|pip3|pnpm|ps|psql|python3?|rm|rsync|scp|sed|service|ssh|sudo|systemctl|tail|tar|touch|unzip|wget|yarn|yum|bun";

/**
 * The signs by which src/contract/text/kind.ts knows programming languages. Each looks at one line of bounded length, and none repeats what
 * already repeats: a text is looked at in time that grows as it does.
 */
export const languageSigns: readonly LanguageSigns[] = [
  {
    name: "Python",
    grammar: "python",
    signs: [
      [3, /^\s*(?:async )?def \w+\(.*/],
      [3, /^if __name__ == /],
      [2, /^\s*class \w.*:$/],
      [2, /^(?:from [\w.]+ import \S|import [a-z_][\w.]*(?: as \w+)?(?:, ?[\w.]+)*$)/],
      [2, /^\s*(?:for .* in .*|while .*|with .* as \w+|elif .*|else|try|except.*|finally):$/],
      [2, /^\s*if (?:not |\w+\(|[\w.]+ (?:[=<>!]|in |not |is )).*:$/],
      [2, /\bself\.\w/],
      [1, /^@\w+/],
      [2, /^\s*print\(.*\)$/],
      [1, /^\s*(?:return|raise|yield|assert|pass)\b/],
    ],
  },
  {
    name: "JavaScript",
    grammar: "javascript",
    signs: [
      [3, /^\s*(?:export )?(?:default )?(?:async )?function\*? ?\w*\(/],
      [3, /^\s*(?:export )?(?:const|let|var) [\w{[$].{0,200}=/],
      [3, /^(?:import|export) .*from ["']/],
      [2, /\brequire\(["']/],
      [2, /\bconsole\.\w+\(/],
      [2, /=> ?[{(]?$/],
      [2, /\b(?:document|window)\.\w+[.(]/],
      [1, /^\s*(?:return|throw|await)\b/],
      [1, /^\s*[})\]]+[;,]?$/],
    ],
  },
  {
    name: "TypeScript",
    grammar: "typescript",
    signs: [
      [3, /^\s*(?:export )?(?:interface \w.*\{|type \w+(?:<.*>)? =)/],
      [
        4,
        /^\s*(?:export )?(?:const|let|function|async function|readonly|private|public)\b.*: ?(?:string|number|boolean|void|unknown|Promise<)/,
      ],
      [4, /^import type /],
      [3, /^\s*(?:export )?(?:const|let) [\w{[$].{0,200}=/],
      [3, /^(?:import|export) .*from ["']/],
      [3, /^\s*(?:export )?(?:async )?function\*? ?\w*[<(]/],
      [2, /^\s*(?:readonly )?\w+\??: (?:string|number|boolean|unknown)(?:\[\])?;?$/],
      [1, /^\s*[})\]]+[;,]?$/],
    ],
  },
  {
    name: "Go",
    grammar: "go",
    signs: [
      [3, /^package \w+$/],
      [3, /^func (?:\(\w+ \*?\w+\) )?\w+\(.*\{$/],
      [2, /^\s*\w+(?:, \w+)* := /],
      [2, /^import [("]/],
      [2, /^type \w+ (?:struct|interface) \{/],
      [2, /^\s*if err != nil/],
      [1, /^\s*\}$/],
    ],
  },
  {
    name: "Rust",
    grammar: "rust",
    signs: [
      [3, /^\s*(?:pub(?:\(crate\))? )?(?:async )?fn \w+/],
      [3, /^\s*let mut \w/],
      [3, /^use [\w:]+(?:::\{.*\}|::\*)?;$/],
      [2, /^\s*(?:pub )?(?:impl|struct|enum|trait|mod)\b.*[{;]$/],
      [2, /\b(?:println|format|vec|panic)!\(/],
      [2, /^\s*#\[\w+/],
      [1, /^\s*let \w.*;$/],
    ],
  },
  {
    name: "Java",
    grammar: "java",
    signs: [
      [3, /^\s*(?:public|private|protected) .*[({;]$/],
      [3, /^import [\w. ]+(?:\*)?;$/],
      [3, /^package [\w.]+;$/],
      [2, /\bSystem\.out\./],
      [2, /^\s*@(?:Override|Test|Autowired|Bean|Service|RestController)\b/],
      [1, /;$/],
    ],
  },
  {
    name: "C#",
    grammar: "csharp",
    signs: [
      [3, /^using [\w.]+;$/],
      [3, /^namespace [\w.]+/],
      [3, /^\s*(?:public|private|protected|internal) .*[({;)]$/],
      [3, /\bConsole\.Write/],
      [1, /;$/],
    ],
  },
  {
    name: "C",
    grammar: "c",
    signs: [
      [3, /^#\s*include\s*[<"]/],
      [2, /^#\s*(?:define|ifdef|ifndef|endif|if) ?\w*/],
      [
        3,
        /^\s*(?:static |inline |const |unsigned )*(?:int|void|char|bool|float|double|size_t|struct \w+) \*{0,2}\w+\(.*\) ?\{?$/,
      ],
      [2, /\b(?:printf|malloc|sizeof|strlen)\(/],
      [1, /;$/],
    ],
  },
  {
    name: "C++",
    grammar: "cpp",
    signs: [
      [3, /^#\s*include\s*<\w+>/],
      [4, /\bstd::\w/],
      [4, /^using namespace \w+;/],
      [3, /^\s*template\s*</],
      [3, /^\s*(?:int|void|bool|auto|double) \w+(?:::\w+)?\(.*\) ?(?:const )?\{?$/],
      [1, /;$/],
    ],
  },
  {
    name: "Ruby",
    grammar: "ruby",
    signs: [
      [2, /^\s*def \w+[?!]?(?:\(.*\))?$/],
      [2, /^\s*end$/],
      [2, /^require[_ a-z]{0,10}["']/],
      [2, /\bdo \|\w+(?:, \w+)*\|$/],
      [2, /^\s*(?:class [A-Z]\w*(?: < [\w:]+)?|module [A-Z]\w*|attr_\w+ :\w.*)$/],
      [1, /^\s*puts /],
    ],
  },
  {
    name: "Kotlin",
    grammar: "kotlin",
    signs: [
      [3, /^\s*(?:private |override |suspend |public )*fun (?:\w+\.)?\w+\(.*/],
      [2, /^\s*val \w+(?:: [\w<>?]+)? = /],
      [2, /^\s*(?:data |sealed )class \w+/],
      [1, /^\s*var \w+ = /],
    ],
  },
  {
    name: "Swift",
    grammar: "swift",
    signs: [
      [3, /^import [A-Z]\w+$/],
      [3, /^\s*(?:private |public |static |override )*func \w+\(.*\)(?: throws)?(?: -> .*)? \{$/],
      [2, /^\s*(?:guard|if) let \w+/],
      [2, /^\s*(?:let|var) \w+: [A-Z]\w+/],
    ],
  },
  {
    name: "SQL",
    grammar: "sql",
    signs: [
      [
        3,
        /^\s*(?:SELECT\b|INSERT INTO |UPDATE \S+ SET |DELETE FROM |CREATE (?:OR REPLACE |UNIQUE |TEMP(?:ORARY)? )*(?:TABLE|INDEX|VIEW|DATABASE|FUNCTION|TRIGGER) |ALTER TABLE |DROP TABLE |WITH \w+ AS )/,
      ],
      [
        3,
        /^\s*(?:select .* from \S|insert into \S+ (?:\(|values)|delete from \S|update \S+ set |create table \S|alter table \S).*;$/,
      ],
      [
        2,
        /^\s*(?:FROM|WHERE|(?:LEFT |RIGHT |INNER |CROSS )?JOIN|GROUP BY|ORDER BY|VALUES|LIMIT|SET|HAVING|UNION|AND|OR)\b/,
      ],
      [2, /\b(?:INTEGER|VARCHAR|BIGINT|TIMESTAMP|PRIMARY KEY|NOT NULL|TEXT)\b/],
    ],
  },
  {
    name: "CSS",
    grammar: "css",
    signs: [
      [2, /^\s*[.#]?[a-zA-Z*:][\s,>+~:.[\]="'#()\w-]*\{$/],
      [2, /^\s*(?:--)?[a-z][a-z-]{0,40}: ?[^;{}]{1,200};$/],
      [3, /^@(?:media|import|font-face|keyframes|layer|supports)\b/],
      [1, /^\s*\}$/],
    ],
  },
  {
    name: "Shell",
    grammar: "bash",
    signs: [
      [
        3,
        /^\s*(?:(?:if|elif|while) (?:\[|!|test ).*|fi|then|done|do|esac|for \w+ in .*; ?do|while .*; ?do|case .* in)$/,
      ],
      [3, /^\s*\w+\(\) ?\{$/],
      [3, /^set -[a-z]/],
      [2, /^\s*export \w+=/],
      [2, /^\s*(?:source |\. )[\w./~$"]+$/],
      [2, /^\s*\w+=(?:["'$\w/.(-]\S*|"[^"]*"|"?\$\(.*\)"?)$/],
      [2, /^\s*echo ["'$]/],
      [
        2,
        new RegExp(
          String.raw`^\s*(?:\$ )?(?:sudo )?(?:${COMMANDS})\b(?:.* -{1,2}[A-Za-z]|.* \| |.* && |.*\$[A-Za-z({]|.*https?://|.* [~.\w]*/| [a-z]+ [\w@./-]+$).*`,
        ),
      ],
    ],
  },
  {
    name: "PowerShell",
    grammar: "powershell",
    signs: [
      [2, /^\s*\$\w+ = /],
      [3, /\b(?:Get|Set|New|Remove|Write|Import|Invoke|Start|Stop|Add)-[A-Z][A-Za-z]+\b/],
      [2, /^\s*param\s*\(/i],
    ],
  },
  {
    name: "Dockerfile",
    grammar: "dockerfile",
    needs: /^FROM \S/,
    signs: [
      [3, /^FROM \S+(?: [Aa][Ss] \w+)?$/],
      [2, /^(?:RUN|COPY|ADD|ENV|WORKDIR|EXPOSE|ENTRYPOINT|CMD|ARG|USER|VOLUME|HEALTHCHECK) \S/],
    ],
  },
  {
    name: "Makefile",
    grammar: "makefile",
    needs: /^\t@?\S/,
    signs: [
      [3, /^\.PHONY:/],
      [2, /^[\w./%-]+:(?: [\w./%$()-]+)*$/],
      [2, /^\t@?\S/],
      [2, /^\w+ ?[:?]?= ?\S/],
    ],
  },
  {
    name: "nginx",
    grammar: "nginx",
    signs: [
      [3, /^\s*(?:server|http|events|location .{1,200}|upstream \w+)\s*\{$/],
      [
        3,
        /^\s*(?:listen|server_name|proxy_pass|proxy_set_header|root|index|ssl_\w+|try_files|return|access_log|error_log|include|worker_\w+|client_max_body_size|add_header|gzip)\s.*;$/,
      ],
      [1, /^\s*\}$/],
    ],
  },
  {
    name: "Lua",
    grammar: "lua",
    signs: [
      [3, /^\s*local \w+(?:, \w+)* = /],
      [3, /^\s*(?:local )?function [\w.:]+\(.*\)$/],
      [2, /^\s*(?:end|if .* then|elseif .* then)$/],
    ],
  },
  {
    name: "PHP",
    grammar: "php",
    signs: [
      [3, /^\s*\$\w+(?:->\w+|\[.*\])? = .*;$/],
      [3, /^\s*(?:public |private |protected |static )*function \w+\(.*\$\w+/],
      [2, /\$this->/],
      [2, /^\s*(?:echo|use) .*;$/],
    ],
  },
];
