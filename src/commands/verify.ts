import { openArchive } from "../backup/source.ts";
import { verifyBackup } from "../backup/verify.ts";
import type { Config } from "../config.ts";
import { contentWords, createProgress, sizeWords } from "./progress.ts";

/** Names that are printed of what is damaged. */
const SHOWN = 20;

/** Reads a backup through and says whether it is whole. Throws a sentence when it is not. */
export async function verify(config: Config, archive: string, print: (text: string) => void): Promise<void> {
  const progress = createProgress();
  let bytes = 0;
  const { first, manifest, damaged } = await verifyBackup(await openArchive(archive, config.backup.s3), (more) => {
    bytes += more;
    progress.show(sizeWords(bytes));
  }).finally(progress.end);
  if (damaged.length > 0) {
    const names = damaged.slice(0, SHOWN).map((name) => `- ${JSON.stringify(name)}`);
    const more = damaged.length > SHOWN ? [`and ${damaged.length - SHOWN} more`] : [];
    throw new Error(["The archive is damaged. These are not what was backed up:", ...names, ...more].join("\n"));
  }
  print(
    `The backup is whole: of ${first.moment}, by Satchel ${first.satchel} (step ${first.step}), with ${contentWords(manifest)}.\n`,
  );
}
