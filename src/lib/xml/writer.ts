import { FORBIDDEN, type Scope, XML_NAMESPACE, type XmlElement } from "./xml.ts";

const marks: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

const UNSAYABLE = new RegExp(FORBIDDEN, "g");

/** Text as it stands in an element or a quoted attribute. What XML cannot say becomes U+FFFD. */
export function escapeXml(text: string): string {
  if (!/[^\t\n\x20!#-%'-;=?-\ud7ff\ue000-\ufffd]/.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/[&<>"\r]/g, (mark) => marks[mark] ?? "")
    .replaceAll(UNSAYABLE, "\ufffd");
}

/** An element as text that stands for itself wherever no default namespace is bound. */
export function writeXml(element: XmlElement, outer: Scope = new Map([["xml", XML_NAMESPACE]])): string {
  const scope = new Map(outer);
  let declarations = "";
  const bind = ({ prefix, namespace }: Pick<XmlElement, "prefix" | "namespace">): string => {
    if ((scope.get(prefix) ?? "") !== namespace) {
      scope.set(prefix, namespace);
      declarations += ` xmlns${prefix === "" ? "" : `:${prefix}`}="${escapeAttribute(namespace)}"`;
    }
    return prefix === "" ? "" : `${prefix}:`;
  };
  const tag = bind(element) + element.name;
  const attributes = element.attributes
    .map((one) => ` ${one.namespace === "" ? "" : bind(one)}${one.name}="${escapeAttribute(one.value)}"`)
    .join("");
  const inner = element.children.map((child) =>
    typeof child === "string" ? escapeXml(child) : writeXml(child, scope),
  );
  const start = `<${tag}${declarations}${attributes}`;
  return inner.length === 0 ? `${start}/>` : `${start}>${inner.join("")}</${tag}>`;
}

/** Blanks but the plain one would be read as that. */
const escapeAttribute = (text: string): string =>
  escapeXml(text).replaceAll(/[\t\n]/g, (blank) => (blank === "\t" ? "&#9;" : "&#10;"));
