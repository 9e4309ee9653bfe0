/** XML of a relations part (ECMA-376-2, section 8.3) is elements with attributes, and nothing between them. */
const piece =
  /\s+|<\?[^>]*\?>|<!--(?:(?!--)[\s\S])*-->|<\/[\w:.-]+\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/y;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const reference = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g;

const named = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" } as const;

/** The text that an attribute stands for; undefined when it is not well-formed. */
function decoded(value: string): string | undefined {
  let isSound = true;
  const text = value.replace(reference, (_, name?: keyof typeof named, decimal?: string, hex?: string) => {
    if (name) return named[name];
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0;
    if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
    isSound = false;
    return "";
  });
  return isSound ? text : undefined;
}

/** The attributes of an element by their names; undefined when it is not well-formed. */
function attributesOf(written: string): Map<string, string> | undefined {
  const found = new Map<string, string>();
  for (const [, name = "", double, single] of written.matchAll(attribute)) {
    const value = decoded(double ?? single ?? "");
    if (value === undefined || found.has(name)) return undefined;
    found.set(name, value);
  }
  return found;
}

const encoded = (text: string): string => text.replace(/[&<>"\s]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** Reports whether a relation leads to a part of the same file, or is a link that somebody may press. */
function isHarmless(type: string, target: string, mode: string | undefined): boolean {
  if (mode === undefined || mode === "Internal") return !/^\s*(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i.test(target);
  return mode === "External" && /\/hyperlink$/.test(type) && /^(?:https?:|mailto:)/i.test(target);
}

/**
 * Relations of a part of an office file, written anew: of each only what the standard names, and none to elsewhere but links to the
 * web and to mail. Undefined when the XML is not what such a part may be.
 */
export function safeRelations(xml: string): string | undefined {
  const kept: string[] = [];
  const text = xml.replace(/^\ufeff/, "");
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const found = piece.exec(text);
    if (!found) return undefined;
    const [, name, written = ""] = found;
    const given = name === undefined ? undefined : attributesOf(written);
    if (name === undefined) continue;
    if (!given) return undefined;
    if (name.replace(/^.*:/, "") !== "Relationship") continue;
    const [id, type, target] = ["Id", "Type", "Target"].map((one) => given.get(one));
    const mode = given.get("TargetMode");
    if (id === undefined || type === undefined || target === undefined || !isHarmless(type, target, mode)) continue;
    const suffix = mode === "External" ? ' TargetMode="External"' : "";
    kept.push(`<Relationship Id="${encoded(id)}" Type="${encoded(type)}" Target="${encoded(target)}"${suffix}/>`);
  }
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${kept.join("")}</Relationships>`;
}
