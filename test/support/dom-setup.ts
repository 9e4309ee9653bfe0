import { afterEach, beforeEach } from "bun:test";

// Only after happydom.ts: this library looks for a document when it is loaded.
const { cleanup } = await import("@testing-library/react");
const { i18n } = await import("../../web/i18n/i18n.ts");

beforeEach(async () => {
  await i18n.loadWords("shell", "share", "paste", "reading", "editing", "file", "admin");
  await i18n.setLanguage("en");
  // Every test starts as on a first visit.
  localStorage.clear();
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
