/** How long a made address stays valid: the browser reads it after the click, a page may stay open for days. */
const KEPT = 60_000;

function addressOf(text: string, type: string): string {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
  return url;
}

function follow(url: string, how: Pick<HTMLAnchorElement, "download"> | Pick<HTMLAnchorElement, "target">): void {
  const link = document.createElement("a");
  Object.assign(link, { href: url, rel: "noopener" }, how);
  link.click();
}

/** Saves a text that is already here as a file, without asking the server for it again. */
export const downloadText = (name: string, text: string): void =>
  follow(addressOf(text, name.endsWith(".md") ? "text/markdown" : "text/plain"), { download: name });

/** Shows a text that is already here as plain text in a tab of its own. */
export const openText = (text: string): void => follow(addressOf(text, "text/plain"), { target: "_blank" });
