import { Lru } from "../lib/cache.ts";

/** A family of programs or systems, and how it names itself in User-Agent; the first one that fits counts. */
type Families = readonly (readonly [RegExp, string])[];

/** Programs that fetch by themselves: search engines, and what draws previews of links in chats. */
const BOTS =
  /bot\b|bots?\/|crawl|spider|slurp|facebookexternalhit|whatsapp|telegram|skypeuripreview|embed|preview|monitor/i;

/** The family of all of them. */
export const BOT = "Bot";

/** Programs that are no browsers. */
const tools: Families = [
  [/^curl\//i, "curl"],
  [/^wget/i, "Wget"],
  [/^aria2\//i, "aria2"],
  [/^rclone\//i, "rclone"],
  [/^microsoft-webdav/i, "Windows Explorer (WebDAV)"],
  [/^webdav(fs|lib)\//i, "Finder (WebDAV)"],
  [/^gvfs\//i, "GNOME Files (WebDAV)"],
  [/^davfs2\//i, "davfs2 (WebDAV)"],
  [/^cadaver\//i, "cadaver (WebDAV)"],
  [/^cyberduck|^mountain ?duck/i, "Cyberduck (WebDAV)"],
  [/^winscp/i, "WinSCP (WebDAV)"],
  [/webdav|\bdav\b/i, "WebDAV"],
  [/powershell/i, "PowerShell"],
  [/^httpie\//i, "HTTPie"],
  [/^xh\//i, "xh"],
  [/python|aiohttp|httpx/i, "Python"],
  [/^go-http-client/i, "Go"],
  [/^okhttp|^java\/|apache-httpclient/i, "Java"],
  [/^node|^axios|undici/i, "Node.js"],
  [/^bun\//i, "Bun"],
  [/^postman/i, "Postman"],
  [/^vlc\/|libvlc/i, "VLC"],
];

/** Nearly all browsers say that they are Chrome, Safari and Mozilla as well. */
const browsers: Families = [
  [/MicroMessenger\//, "WeChat"],
  [/\bQQ\/|M?QQBrowser\//, "QQ Browser"],
  [/UC ?Browser\//, "UC Browser"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera/, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/\d.*Safari\//, "Safari"],
  [/^Mozilla\//, "Browser"],
];

const systems: Families = [
  [/Windows/, "Windows"],
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/HarmonyOS/, "HarmonyOS"],
  [/CrOS/, "ChromeOS"],
  [/Macintosh|Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
];

/** Characters of a User-Agent that are looked at. */
const LONGEST = 300;
const REMEMBERED = 1000;

const familyOf = (families: Families, agent: string): string => families.find(([sign]) => sign.test(agent))?.[1] ?? "";

function read(agent: string): string {
  if (BOTS.test(agent)) return BOT;
  const tool = familyOf(tools, agent);
  if (tool !== "") return tool;
  const browser = familyOf(browsers, agent);
  const system = browser === "" ? "" : familyOf(systems, agent);
  return system === "" ? browser : `${browser}, ${system}`;
}

const known = new Lru<string, string>(REMEMBERED);

/** The family of the program that sent a request, and its system; empty for one that is not known. No version, which tells people apart. */
export function programOf(agent: string | null): string {
  if (!agent) return "";
  const looked = agent.slice(0, LONGEST);
  const before = known.get(looked);
  if (before !== undefined) return before;
  const program = read(looked);
  known.set(looked, program);
  return program;
}
