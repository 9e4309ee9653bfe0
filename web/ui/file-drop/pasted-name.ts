import { t } from "../../i18n/i18n.ts";

/** What browsers call a picture from the clipboard. */
const nameless = /^image\.(\w+)$/i;

const two = (number: number): string => String(number).padStart(2, "0");

/** Day and time as files are named: no colon, and in the order in which they sort. */
function stamp(time: Date): string {
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(".")}`;
}

/** Makes a file of pasted text, with a name to begin with. */
export const pastedText = (text: string, now: Date): File =>
  new File([text], `${t("upload.pastedText", { time: stamp(now) })}.txt`, { type: "text/plain" });

/** Gives a picture from the clipboard a name that tells it from the next one; other files keep theirs. */
export function namedPaste(file: File, now: Date): File {
  const ending = nameless.exec(file.name)?.[1];
  if (ending === undefined) return file;
  const name = `${t("upload.pasted", { time: stamp(now) })}.${ending}`;
  return new File([file], name, { type: file.type, lastModified: now.getTime() });
}
