import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { basic } from "../../support/clients/basic.ts";
import { davUrl } from "../../support/clients/dav.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A server that is killed while programs save by writing beside and moving over, again and again: what they saved is there. */

const ROUNDS = 8;

/** What a saver has sent and what was answered, as numbers that only grow. */
interface Saver {
  /** Writes a number. */
  readonly save: (dav: Dav, number: number) => Promise<boolean>;
  /** Files that must all have one number. */
  readonly paths: readonly string[];
  sent: number;
  answered: number;
}

type Dav = (method: string, path: string, body?: string, to?: string) => Promise<Response>;

const davOf =
  ({ address, adminPassword }: TestServer): Dav =>
  (method, path, body, to) =>
    fetch(address + davUrl(path), {
      method,
      headers: { ...basic("admin", adminPassword), ...(to !== undefined && { destination: davUrl(to) }) },
      ...(body !== undefined && { body }),
    });

/** Writes a folder of two files, whatever a killed run has left of it. */
async function makeFolder(dav: Dav, path: string, text: string): Promise<void> {
  await dav("MKCOL", path);
  for (const name of ["1", "2"]) await dav("PUT", `${path}/${name}`, text);
}

const isDone = async (answer: Promise<Response>): Promise<boolean> => [201, 204].includes((await answer).status);

const saver = (paths: readonly string[], save: Saver["save"]): Saver => ({ paths, save, sent: 0, answered: 0 });

const openSavers = (): Saver[] => [
  saver(["/drive/a.db"], async (dav, number) => {
    await dav("PUT", "/drive/a.db.tmp", `${number}`);
    return await isDone(dav("MOVE", "/drive/a.db.tmp", undefined, "/drive/a.db"));
  }),
  saver(["/drive/moved/1", "/drive/moved/2"], async (dav, number) => {
    await makeFolder(dav, "/drive/new", `${number}`);
    return await isDone(dav("MOVE", "/drive/new", undefined, "/drive/moved"));
  }),
  saver(["/drive/copied/1", "/drive/copied/2"], async (dav, number) => {
    await makeFolder(dav, "/drive/source", `${number}`);
    return await isDone(dav("COPY", "/drive/source", undefined, "/drive/copied"));
  }),
];

/** Saves until the server is gone. */
async function saveOn(dav: Dav, one: Saver, answered: () => void): Promise<void> {
  for (;;) {
    one.sent += 1;
    if (await one.save(dav, one.sent)) one.answered = one.sent;
    answered();
  }
}

test("kill -9 while programs save by MOVE and COPY leaves what was saved last, whole", async () => {
  using folder = temporaryFolder();
  const savers = openSavers();
  for (let round = 0; ; round++) {
    const server = await startServer({ dataDir: folder.path });
    const dav = davOf(server);
    for (const { paths, sent, answered } of savers) {
      const texts = await Promise.all(paths.map(async (path) => await (await dav("GET", path)).text()));
      const [number = -1] = sent === 0 ? [0] : texts.map(Number);
      const isKnown = number >= answered && number <= sent;
      if (sent > 0)
        expect({ round, texts, isKnown }).toEqual({ round, texts: paths.map(() => `${number}`), isKnown: true });
    }
    const drive = readdirSync(join(folder.path, "objects/drive"));
    expect(drive.filter((name) => name.startsWith("."))).toEqual([]);
    if (round === ROUNDS) return void (await server.stop());
    let left = 6 + 5 * round;
    const killed = Promise.withResolvers<void>();
    const answered = () => {
      left -= 1;
      // Others are in the middle of theirs.
      if (left === 0) server.kill().then(killed.resolve, killed.reject);
    };
    await Promise.allSettled(savers.map((one) => saveOn(dav, one, answered)));
    await killed.promise;
  }
});
