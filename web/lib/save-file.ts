/** How long a made address stays valid, in milliseconds: the browser reads it after the click, a page may stay open for days. */
const KEPT = 60_000;

function addressOf(blob: Blob): string {
  const url = URL.createObjectURL(blob);
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
  return url;
}

function follow(url: string, how: Pick<HTMLAnchorElement, "download"> | Pick<HTMLAnchorElement, "target">): void {
  const link = document.createElement("a");
  Object.assign(link, { href: url, rel: "noopener" }, how);
  link.click();
}

/** Saves what is already here as a file, without asking the server for it again. */
export const saveFile = (name: string, blob: Blob): void => follow(addressOf(blob), { download: name });

/** Saves a text as a file. */
export const saveText = (name: string, text: string): void =>
  saveFile(name, new Blob([text], { type: `${name.endsWith(".md") ? "text/markdown" : "text/plain"};charset=utf-8` }));

/** Shows a text that is already here as plain text in a tab of its own. */
export const openText = (text: string): void =>
  follow(addressOf(new Blob([text], { type: "text/plain;charset=utf-8" })), { target: "_blank" });
