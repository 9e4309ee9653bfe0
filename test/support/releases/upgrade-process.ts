import { upgradeOwn } from "./release-folder.ts";

// A process that upgrades the executable of a test, for the test to kill. It waits for ever where its backup would be, when it is told to.
const [path = "", from = "", publicKey = "", waits] = process.argv.slice(2);
const backUp = async () => {
  process.stdout.write("backup\n");
  if (waits) await new Promise((done) => setTimeout(done, 2 ** 30));
};
await upgradeOwn({ own: { path, isLocked: false }, publicKey, from, backUp });
