import { newIdentity } from "../../web/sealed/locks.ts";
import { openHeader } from "../../web/sealed/open.ts";
import { sealFile } from "../../web/sealed/seal.ts";
import { isControlled, offer } from "../../web/sealed/served/offer.ts";
import { sourceAt } from "../../web/sealed/served/source.ts";
import { withoutNative } from "./sealed-cipher.ts";

/** What runs in the browser that `sealed.ts` measures. */

/** As uploads cut files. */
const PART = 80 * 65_552;
/** How long the service worker may take to be there, in milliseconds. */
const PATIENCE = 30_000;

interface Blobs {
  readonly size: number;
  slice(from: number, to: number): Blob | Promise<Blob>;
}

/** Sends all parts, two at once; answers how many MB of a file's went up in a second. */
async function upload(what: Blobs, bytes: number): Promise<number> {
  const began = performance.now();
  let next = 0;
  const send = async () => {
    while (next < what.size) {
      const from = next;
      next += PART;
      await fetch("/up", { method: "POST", body: await what.slice(from, Math.min(from + PART, what.size)) });
    }
  };
  await Promise.all([send(), send()]);
  return bytes / 1000 / (performance.now() - began);
}

/** The file that somebody has chosen. */
function chosen(): File {
  const file = document.querySelector("input")?.files?.[0];
  if (!file) throw new Error("No file is chosen.");
  return file;
}

Object.assign(globalThis, {
  /** With the cipher of that name. */
  async begin(cipher: "native" | "script") {
    if (cipher === "script") withoutNative();
    await navigator.serviceWorker.register(`/sw.js?${cipher}`);
    await isControlled(PATIENCE);
  },
  async measureUp(isSealed: boolean) {
    const file = chosen();
    return upload(isSealed ? await sealFile(file, { identity: await newIdentity() }) : file, file.size);
  },
  /** Answers where the sealed file is downloaded. */
  async openSealed(identity: string, size: number) {
    const opening = await openHeader(sourceAt({ url: "/sealed", size, end: 0 }), { identity });
    const onBroken = (code: string) => {
      throw new Error(code);
    };
    return `${await offer({ name: "file", type: "", source: "/sealed", opening, onBroken })}?download`;
  },
  download(address: string) {
    const link = document.createElement("a");
    link.href = address;
    document.body.append(link);
    link.click();
    link.remove();
  },
});
