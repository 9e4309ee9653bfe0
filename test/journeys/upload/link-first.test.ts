import { expect, test } from "bun:test";
import { join } from "node:path";
import { seen, startJourney, throttle } from "../../support/browser/journey.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const journey = await startJourney();
const MiB = 1024 * 1024;

/** A person begins to send a file of sixty MiB and pauses once three of its parts are there; answers its link. */
async function sendSome(sender: Awaited<ReturnType<typeof journey.admin>>, path: string): Promise<string> {
  const { page } = sender;
  let parts = 0;
  const three = Promise.withResolvers<void>();
  page.on("response", (response) => {
    const isPart = new URL(response.url()).searchParams.has("partNumber") && response.request().method() === "PUT";
    if (isPart && response.ok() && ++parts === 3) three.resolve();
  });
  await page.goto("/upload");
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await three.promise;
  // So that the rest does not come before the button is pressed, however slow this machine is.
  await throttle(sender, 64 * 1024);
  await page.getByRole("button", { name: "Pause: early.bin" }).click();
  const row = page.locator("li[data-state=paused]");
  await row.getByRole("button", { name: "Copy link (already works)" }).click();
  await seen(row.getByRole("button", { name: "Copied" }));
  return await page.evaluate(() => navigator.clipboard.readText());
}

test("a person passes the link on while the file is on its way; who opens it sees it come, and a program has its bytes as they come", async () => {
  using folder = temporaryFolder();
  const bytes = Buffer.alloc(60 * MiB);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const path = join(folder.path, "early.bin");
  await Bun.write(path, bytes);
  await using sender = await journey.admin();
  await throttle(sender, 8 * MiB);
  const link = await sendSome(sender, path);

  await using receiver = await journey.visitor();
  await receiver.page.goto(link);
  await seen(receiver.page.getByRole("heading", { name: "The file is being uploaded" }));
  await seen(receiver.page.getByText(/^[\d.]+ MB of 60 MB uploaded \(\d+%\)$/));
  const program = await fetch(`${journey.server.address}/api/file-download/${link.slice(link.lastIndexOf("/") + 1)}`);
  expect(program.status).toBe(200);
  const read = program.bytes();

  await throttle(sender, -1);
  await sender.page.getByRole("button", { name: "Resume: early.bin" }).click();
  expect(bytes.equals(await read)).toBe(true);
  await seen(receiver.page.getByRole("heading", { name: "early.bin" }));
  await seen(sender.page.getByRole("region", { name: "Your link" }));
});
