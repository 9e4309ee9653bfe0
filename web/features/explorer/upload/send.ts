import { join } from "#contract/paths";
import type { Call } from "../../../api/call.ts";
import type { Uploads } from "../../../transfer/uploads.ts";
import { type Answer, type Ask, type FileFacts, settle } from "../model/conflicts.ts";
import type { UploadMode } from "../model/preferences.ts";
import { namesIn } from "../model/tree-calls.ts";
import { destined, gather, type IncomingFile } from "./gather.ts";

interface Sending {
  readonly call: Call;
  readonly uploads: Uploads;
  readonly ask: Ask;
  readonly mode: UploadMode;
  /** Who may not look into folders is not asked about what is there: it is replaced. */
  readonly mayLook: boolean;
  /** Who alone can open what is sent (`age1...`): each file is sealed for them, and is called so. */
  readonly recipient?: string | undefined;
}

/** What was not sent, and why. */
interface NotSent {
  readonly misnamed: readonly string[];
  /** Files that are on their way to the same place already. */
  readonly passedOver: number;
}

/**
 * Sends files into a folder, those of folders into folders of the same names. Where names are taken it is asked what is to be
 * done; undefined when that was called off, and then nothing is sent. Throws ApiFailure when it cannot be known what is there.
 */
export async function sendInto(sending: Sending, folder: string, files: readonly File[]): Promise<NotSent | undefined> {
  const { call, uploads, mode, mayLook, recipient } = sending;
  const { byFolder, misnamed } = gather(files, folder);
  const ask = keepAnswerForAll(sending.ask);
  const all: { readonly file: File; readonly folder: string; readonly name: string }[] = [];
  for (const [target, coming] of byFolder) {
    const taken = mayLook ? await namesIn(call, target) : new Map<string, FileFacts>();
    const settled = await settle({ folder: target, coming: coming.map(withFacts), taken, ask });
    if (!settled) return undefined;
    const called = (name: string) => (recipient ? `${name}.age` : name);
    all.push(...settled.placed.map(({ item, name }) => ({ file: item.file, folder: target, name: called(name) })));
  }
  const sealed = recipient ? { seal: { password: "", recipient } } : {};
  const options = new Map(
    all.map(({ file, folder, name }) => [file, { path: folder, name, relay: mode === "direct", ...sealed }]),
  );
  // What failed or was called off before begins anew.
  for (const { id, state, folder, name } of uploads.items.get())
    if (state === "failed" && all.some((one) => one.folder === folder && one.name === name)) uploads.remove(id);
  const passedOver = uploads.add(all.map(({ file, folder, name }) => destined(file, join(folder, name))));
  uploads.start((file) => options.get(file) ?? {});
  return { misnamed, passedOver };
}

/** What is said of a file that comes, where its name is taken. */
const withFacts = (coming: IncomingFile) => ({
  ...coming,
  size: coming.file.size,
  modified: coming.file.lastModified,
});

/** An answer for all holds for the folders that come after, too. */
function keepAnswerForAll(ask: Ask): Ask {
  let held: Answer;
  return async (conflict) => {
    if (held) return held;
    const answer = await ask(conflict);
    if (answer?.forAll) held = answer;
    return answer;
  };
}
