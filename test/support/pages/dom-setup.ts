import { afterEach, beforeEach } from "bun:test";

// Only after happydom.ts: this library looks for a document when it is loaded.
const { cleanup, configure } = await import("@testing-library/react");
const { i18n } = await import("../../../web/i18n/i18n.ts");
const { credential } = await import("../../../web/api/session/credential.ts");

/** What a test waits for comes at once or never; only a busy machine takes longer. Milliseconds. */
configure({ asyncUtilTimeout: 45_000 });

/** Characters that tell an element from others. */
const ENOUGH = 300;
// A failed assertion writes what it received: of an element its HTML, and not all objects that hang on it, which takes minutes.
Object.defineProperty(Node.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value(this: Node) {
    return (this instanceof Element ? this.outerHTML : (this.textContent ?? this.nodeName)).slice(0, ENOUGH);
  },
});

/** The name of a node as its own kind tells it; here Node itself knows none. */
function nameOf(this: Node): string {
  for (let kind = Object.getPrototypeOf(this); kind && kind !== Node.prototype; kind = Object.getPrototypeOf(kind)) {
    const own = Object.getOwnPropertyDescriptor(kind, "nodeName");
    if (own?.get) return own.get.call(this);
  }
  return "";
}
// DOMPurify asks Node's own getter, which no form can clobber, and took every element for one without a name.
Object.defineProperty(Node.prototype, "nodeName", { get: nameOf, configurable: true });

beforeEach(async () => {
  await i18n.loadWords("shell", "share", "paste", "reading", "editing", "file", "admin", "leaving");
  await i18n.setLanguage("en");
  // Every test starts as on a first visit.
  localStorage.clear();
});

afterEach(() => {
  cleanup();
  if (credential.state.get().authType !== "none") credential.signOut("loggedOut");
  localStorage.clear();
  sessionStorage.clear();
});
