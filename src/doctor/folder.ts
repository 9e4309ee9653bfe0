import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { modeOf, nearest, obstacleOf, type ReadVolume, readVolume } from "../lib/data-folder.ts";
import { messageOf } from "../lib/errors.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const SUBJECT = "Data folder";

/** Below so many bytes, or such a part of the disk, a server may soon have no room for its database. */
const [LITTLE_BYTES, LITTLE_PART] = [1024 ** 3, 0.05];

/** Whether there is a data folder, this user may use it and others may not. */
export function checkFolder(folder: string): Finding {
  const path = resolve(folder);
  const obstacle = obstacleOf(path);
  if (obstacle) return problem(SUBJECT, obstacle.found, obstacle.advice);
  if (!existsSync(path)) return ok(SUBJECT, `${path} is not there yet; the first start makes it.`);
  const stat = statSync(path);
  const mode = modeOf(stat.mode);
  const user = process.getuid?.();
  if (user !== undefined && stat.uid !== user)
    return warning(
      SUBJECT,
      `${path} belongs to user ${stat.uid}, and this is ${user}.`,
      "Run this as the user that the server runs as.",
    );
  if (stat.mode & 0o077) return warning(SUBJECT, `Other users may look into ${path} (${mode}).`, `chmod 700 ${path}`);
  return ok(SUBJECT, `${path}, ${mode}`);
}

/** How much room the disk of the data folder has. */
export function checkDisk(folder: string, volume: ReadVolume = readVolume): Finding {
  try {
    const { size, free } = volume(nearest(resolve(folder)));
    const text = `${inGiB(free)} of ${inGiB(size)} are free.`;
    return free < Math.min(LITTLE_BYTES, size * LITTLE_PART)
      ? warning("Disk", text, "Free space, or move the data folder to a larger disk.")
      : ok("Disk", text);
  } catch (error) {
    return problem("Disk", `It cannot be read: ${messageOf(error)}`);
  }
}

const inGiB = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
