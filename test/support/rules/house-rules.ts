/**
 * Who may import whom. One row for each room: the rooms it may import beside itself. `type x` allows nothing of x but its
 * types. Paths that no row names (src/contract from the web, package.json) are rooms too.
 */
const table: Readonly<Record<string, string>> = {
  // server: the process
  "src/main": "production config cli commands doctor thumbs database package.json",
  "src/cli": "package.json",
  "src/commands":
    "backup upgrade dependencies doctor maintenance serve fronts/site access database lib contract, type config",
  "src/upgrade": "",
  "src/doctor": "dependencies maintenance listener database lib contract package.json, type config",
  "src/production": "",
  "src/dev": "app serve house config database contract lib web/index.html web/docs.html build.ts",
  "src/dependencies": "backup database lib, type config",
  "src/maintenance": "dependencies house access stores cluster lib, type config database",
  "src/serve": "app dependencies house config first-storage listener fronts/metrics access database lib",
  "src/listener": "lib, type config",
  "src/app":
    "fronts/rest fronts/site fronts/dav fronts/s3 fronts/inbound fronts/drop fronts/mcp fronts/resumable fronts/terminal fronts/moved fronts/password-hint fronts/metrics fronts/context fronts/bytes fronts/memory fronts/unread fronts/downloads response-headers config lib contract, type house system access",
  "src/response-headers": "fronts/dav fronts/resumable fronts/common-headers lib, type fronts/context",
  "src/house":
    "access activity shares links import jobs system settings stores thumbs transfers vfs webhooks cluster database lib contract",
  "src/config": "cli config-values first-storage folders lib contract, type webhooks",
  "src/folders": "config-values lib",
  "src/config-values": "lib contract, type webhooks",
  "src/first-storage": "config-values contract",
  // server: the fronts translate
  "src/fronts/context": "contract lib, type fronts/memory fronts/unread",
  "src/fronts/bucket-names": "",
  "src/fronts/body": "contract, type fronts/context",
  "src/fronts/language": "contract",
  "src/fronts/memory": "contract lib, type transfers",
  "src/fronts/limit-names": "contract",
  "src/fronts/unread": "lib",
  "src/fronts/downloads": "fronts/unread lib, type activity access fronts/context",
  "src/fronts/bytes": "fronts/common-headers lib",
  "src/fronts/common-headers": "",
  "src/fronts/form": "contract",
  "src/fronts/metrics": "access system lib",
  "src/fronts/inbound":
    "fronts/context fronts/downloads fronts/form fronts/language vfs access contract lib, type house activity",
  "src/fronts/connect": "fronts/bucket-names contract",
  "src/fronts/drop":
    "fronts/context fronts/body fronts/form fronts/language fronts/limit-names fronts/rest access contract lib, type house shares stores",
  "src/fronts/mcp":
    "fronts/context fronts/body fronts/connect fronts/language fronts/rest fronts/drop vfs access contract lib package.json, type house",
  "src/fronts/resumable":
    "fronts/context fronts/drop fronts/form fronts/rest access contract lib, type house shares transfers",
  "src/fronts/moved": "fronts/context contract",
  "src/fronts/tree-paths": "contract",
  "src/fronts/terminal":
    "fronts/context fronts/bytes fronts/downloads fronts/rest fronts/tree-paths vfs activity access contract lib, type house",
  "src/fronts/password-hint": "fronts/connect fronts/language activity contract, type fronts/context",
  "src/fronts/rest":
    "fronts/common-headers fronts/context fronts/body fronts/bucket-names fronts/connect fronts/form fronts/bytes fronts/downloads fronts/language fronts/limit-names activity shares links jobs thumbs vfs transfers access settings system webhooks contract lib package.json, type house",
  "src/fronts/site":
    "fronts/context fronts/language shares vfs transfers access settings system contract lib, type house",
  "src/fronts/dav":
    "fronts/context fronts/body fronts/bytes fronts/downloads fronts/tree-paths shares vfs transfers access settings system contract lib, type house",
  "src/fronts/s3":
    "fronts/context fronts/body fronts/bucket-names fronts/form fronts/bytes fronts/downloads shares vfs transfers access settings system contract lib, type house",
  // server: the rooms decide
  "src/system": "shares vfs transfers stores access settings cluster database contract lib package.json",
  "src/backup": "stores database lib contract package.json",
  "src/activity": "settings cluster database contract lib",
  "src/shares": "activity transfers stores access settings cluster database contract lib",
  "src/links": "activity shares transfers stores access cluster database contract lib",
  "src/import": "links shares vfs transfers stores settings access database contract lib",
  "src/thumbs": "stores contract lib",
  "src/archives": "contract lib",
  "src/jobs": "archives vfs search access cluster database contract lib",
  "src/vfs": "search transfers stores access settings cluster database contract lib",
  "src/search": "stores cluster database contract lib",
  "src/transfers": "stores access settings cluster database contract lib",
  "src/stores": "cluster database contract lib",
  "src/webhooks": "cluster database contract lib",
  "src/settings": "cluster database contract lib",
  "src/access": "cluster database contract lib",
  "src/cluster": "database lib",
  "src/database": "lib",
  "src/contract": "",
  "src/lib": "",
  // web
  "web/sw": "web/offline web/sealed web/lib contract",
  "web/page-prefetch": "web/api web/i18n web/lib contract",
  "web/main": "web/app web/api web/ui web/i18n web/page web/lib contract",
  "web/docs": "web/lib",
  "web/app":
    "web/features/* web/preview web/transfer web/sealed web/offline web/api web/ui web/i18n web/page web/lib contract package.json",
  "web/features/*": "web/preview web/transfer web/sealed web/offline web/api web/ui web/i18n web/page web/lib contract",
  "web/preview": "web/sealed web/api web/ui web/i18n web/page web/lib contract",
  "web/transfer": "web/sealed web/api web/page web/lib contract",
  "web/offline": "web/sealed web/api web/page web/lib contract package.json",
  "web/ui": "web/sealed web/api web/i18n web/page web/lib contract, type web/transfer",
  "web/api": "web/i18n web/page web/lib contract",
  "web/i18n": "web/page web/lib contract",
  "web/sealed": "web/lib contract",
  "web/page": "web/lib contract",
  "web/shims": "",
  "web/lib": "contract",
};

/** Packages that only some places may import; the contract may import no other than zod. */
export const outsiders: readonly { packages: RegExp; home: RegExp; says: string }[] = [
  { packages: /^elysia(\/|$)/, home: /^src\/fronts\//, says: "only the fronts know Elysia" },
  { packages: /^@elysiajs\/openapi/, home: /^src\/fronts\/rest\//, says: "only the REST front describes itself" },
  { packages: /^nodemailer$/, home: /^src\/webhooks\/mail\.ts$/, says: "only webhooks/mail.ts knows nodemailer" },
  { packages: /^@elysiajs\/jwt/, home: /^src\/access\/sessions\.ts$/, says: "only access/sessions.ts knows JWT" },
  { packages: /^@aws-sdk\//, home: /^src\/stores\/s3\/client\.ts$/, says: "only the S3 store knows the SDK" },
  {
    packages: /^bun:sqlite$/,
    home: /^src\/(database\/|lib\/data-folder\.ts$)/,
    says: "only database/ and the data folder's lock open SQLite",
  },
  {
    packages: /^(?!zod\/mini$)(?!src\/)/,
    home: /^(?!src\/contract\/)/,
    says: "the contract imports zod/mini and nothing else",
  },
  {
    packages: /^zod\/mini$/,
    home: /^(?!src\/contract\/(?!schemas\.ts$))/,
    says: "the schemas of the contract are made when somebody looks at them (contract/schemas.ts)",
  },
  { packages: /^(bun|node):|^bun$/, home: /^src\//, says: "a page runs in a browser" },
  {
    packages: /^web\/ui\/share-form\//,
    home: /^(?!web\/ui\/(?!share-form\/))/,
    says: "web/ui/share-form is for pages; what any form needs is in web/ui/form",
  },
  {
    packages:
      /^src\/database\/(?:sqlite\/(?!(?:sqlite|checkpoints)\.ts$)|postgres\/(?!(?:postgres|standby)\.ts$)|migrations\/)/,
    home: /^src\/database\//,
    says: "rooms know no engine, and whoever opens one enters by sqlite.ts, checkpoints.ts, postgres.ts or standby.ts",
  },
  {
    packages: /^src\/stores\/(?!s3\/|store\.ts$|changes\.ts$)/,
    home: /^(?!src\/stores\/s3\/)/,
    says: "stores/s3 imports nothing of stores/ above it but the interface",
  },
  {
    packages: /^src\/vfs\/(?!(?:vfs|view|node|entry)\.ts$|webdav\/(?:locks|properties)\.ts$)/,
    home: /^src\/vfs\//,
    says: "whoever is outside enters the tree by vfs.ts, view.ts, node.ts and entry.ts",
  },
  {
    // Its front shows them to clients as they are; everybody else only has them obeyed and carried along.
    packages: /^src\/vfs\/webdav\//,
    home: /^src\/(?:vfs|fronts\/dav)\//,
    says: "only WebDAV's front asks for locks and properties, and enters them by locks.ts and properties.ts",
  },
  { packages: /^\(a computed name\)$/, home: /^$/, says: "an import names its file, so that this test can read it" },
];

/** What only some places of the server may do. */
export const onlyIn: readonly { pattern: RegExp; home: RegExp; says: string }[] = [
  {
    pattern: /\bsql`|\bplainSql\(|\.(query|prepare)\(\s*["'`]/,
    home: /-table\.ts$|^src\/(?:database|cluster)\/|^src\/system\/(health|ready)\.ts$|^src\/lib\/data-folder\.ts$/,
    says: "SQL stands only in *-table.ts, database/ and cluster/",
  },
  {
    pattern: /\.get\(["'](authorization|x-api-key|x-custom-auth-key)["']\)/i,
    home: /^src\/access\/(?:identify|signed-requests)\.ts$/,
    says: "only access/identify.ts and access/signed-requests.ts read credentials",
  },
  {
    pattern: /\.get\(["']content-length["']\)/i,
    // Beside the entry point those that read answers of other servers, and the disk store, which compares.
    home: /^src\/(fronts\/context|lib\/safe-fetch|shares\/url-import|stores\/disk\/files|stores\/s3\/\w+|upgrade\/download)\.ts$/,
    says: "the entry point reads how long a body is; everybody else asks the context",
  },
  {
    pattern: /\bprocess\.env\b|\bBun\.env\b/,
    home: /^src\/(main|dev|production)\.ts$/,
    says: "the environment is read at the start only",
  },
];

/** Names that the pages once had, for which the field has a term of its own. */
export const privateWords = new RegExp(
  String.raw`\b(${[
    "standIns?|StandIn\\w*|earlyLook|EarlyLook|takeEarlyLook|sitting|PARTING|[uU]nkept|onUnkept|adopt",
    "Carrier|carrier|Surroundings|surroundings|CopyWish|CarriedFile|createCarry|carryCopies|PartsStanding",
    "createTurns|createKept|KeptUpload|createRemembered|createReach|createBoard|arrivingFile|createRenewal|renewal",
    "[dD]oer|useDoer|[sS]ituation|Desk|UrlDesk|createDesk|createUrlDesk|urlDesk|createAsking|Asking",
    "Standing|standing|standingOf|Sight|SightSwitch|savedSight|[kK]eptDraft|isBearable|packHere|packThere",
    "CutOff|CutOffList|cutOff|useKeptFocus|TurnedAway\\w*|SealedFrame|harmlessCss|harmlessRelations|Unshown|useTaking",
    "BrokenOff|HtmlLook|JsonLook|CsvLook|MarkdownLook|OnlineLook|loadLook|toldEncoding|onWiden",
    "Filled\\w*|[wW]ayIn|useWays|createWork|useWork|WorkFailure|WorkAnswer|Working",
  ].join("|")})\b`,
);

/** Names of files of the pages that said nothing to whoever was new. */
export const privateFiles =
  /(^|\/)(stand-in|arrive|early-look|carrier|turns|kept|kept-\w+|remembered|reach|board|arriving|watching|doer|situation|doing|desk|page-desk|asking|standing|way-on|take-out|sight-switch|renewal|cut-off|cut-off-list|turned-away|turned-away-bar|sealed-frame|harmless|unshown|use-taking|filled|\w+-filled|arrival|landing|found|way-in|ways|work|use-work|working|\w+-look)\.tsx?$/;

/**
 * Words of this project's own in place of the field's; docs/architecture.md has the glossary. Columns and wire names keep what they
 * are called.
 */
export const foreignWords = new RegExp(
  `\\b(${[
    "lent|Lent|(?<!storage\\.)leftovers?|acquaintance|Acquaintance|wish|wished|untold|dust|standing|Standing|door|Door|adrift",
    "meddl\\w+|\\w+(Needs|Room)|Arrival",
    "Ground|Foundation|askedOnce|createTurns|createSlices|HotShares|HotBytes|parseApart|chooser|Chooser",
    "demand(?!:)\\w*|doomed|Doomed|Reached|confirm|Confirm|confirming|relocat\\w+|Relocation|hit not looked at",
    "[dD]oer(Of)?|waking|Waking|woken|deaf\\w*|telling\\w*|caughtUp|goodbye|Surroundings",
  ].join("|")})\\b(?!")`,
);

/** The room a path belongs to, as the table names it. */
export function roomOf(path: string): string {
  if (path.startsWith("web/features/")) return "web/features/*";
  const [top = "", first = "", second = ""] = path.split("/");
  if (top === "src" && first === "fronts") return `src/fronts/${second.replace(/\.ts$/, "")}`;
  if (top !== "src" && top !== "web") return path;
  return path.split("/").length === 2 && /\.tsx?$/.test(first)
    ? `${top}/${first.replace(/\.tsx?$/, "")}`
    : `${top}/${first}`;
}

/** Two paths of the same room; each feature is a room of its own. */
function sameRoom(one: string, other: string): boolean {
  const feature = (path: string) => /^web\/features\/[^/]+/.exec(path)?.[0];
  return roomOf(one) === roomOf(other) && feature(one) === feature(other);
}

/** A room in the table's shorthand, where `lib` is src/lib. */
const longName = (name: string) => (/^(web\/|(?:package\.json|build\.ts)$)/.test(name) ? name : `src/${name}`);

interface Row {
  readonly values: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

function readRow(row: string): Row {
  const [values = "", types = ""] = row.split(", type ");
  const names = (text: string) => new Set(text.split(" ").flatMap((name) => (name ? [longName(name)] : [])));
  return { values: names(values), types: names(types) };
}

const rows = new Map(Object.entries(table).map(([room, row]) => [room, readRow(row)]));

export const readers = {
  has: (room: string) => rows.has(room),
  /** Why the file may not import the target, or undefined when it may. Packages are no matter of this table. */
  refuse(file: string, target: string, typeOnly: boolean): string | undefined {
    if (!/^(src|web|test)\/|^(package\.json|build\.ts)$/.test(target) || sameRoom(file, target)) return undefined;
    if (/^web\/[\w.-]+\.css$/.test(target) && file.startsWith("web/")) return undefined;
    const room = roomOf(file);
    const wanted = roomOf(target);
    const row = rows.get(room);
    if (row?.values.has(wanted) || (typeOnly && row?.types.has(wanted))) return undefined;
    return `${room} may import ${table[room] || "nothing of ours"}`;
  },
};
