import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type ReadVolume, readVolume } from "../lib/data-folder.ts";
import { messageOf } from "../lib/errors.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const SUBJECT = "Data folder";

/** Below so many bytes, or such a part of the disk, a server may soon have no room for its database. */
const [LITTLE_BYTES, LITTLE_PART] = [1024 ** 3, 0.05];

const mayWrite = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // What keeps it from being written is said with its owner and mode.
    return false;
  }
};

/** Whether there is a data folder, this user may use it and others may not. */
export function checkFolder(folder: string): Finding {
  const path = resolve(folder);
  if (!existsSync(path)) {
    const above = nearest(path);
    return mayWrite(above)
      ? ok(SUBJECT, `${path} is not there yet; the first start makes it.`)
      : problem(
          SUBJECT,
          `${path} is not there, and this user may not make it.`,
          `Make it, or let this user write to ${above}.`,
        );
  }
  const stat = statSync(path);
  if (!stat.isDirectory()) return problem(SUBJECT, `${path} is not a folder.`, "Name another with --data or DATA_DIR.");
  const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
  const user = process.getuid?.();
  if (!mayWrite(path))
    return problem(
      SUBJECT,
      `This user (${user}) may not write to ${path}, which belongs to ${stat.uid} (${mode}).`,
      `Run this as that user, or chown -R it.`,
    );
  if (user !== undefined && stat.uid !== user)
    return warning(
      SUBJECT,
      `${path} belongs to user ${stat.uid}, and this is ${user}.`,
      "Run this as the user that the server runs as.",
    );
  if (stat.mode & 0o077) return warning(SUBJECT, `Other users may look into ${path} (${mode}).`, `chmod 700 ${path}`);
  return ok(SUBJECT, `${path}, ${mode}`);
}

/** The nearest folder above that is there. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

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
