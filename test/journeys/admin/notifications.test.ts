import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { languages } from "#contract/languages";
import { screenshot } from "../../support/browser/chromium.ts";
import { gone, overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { dictionaries } from "../../support/pages/dictionaries.ts";
import { type Got, openReceiver } from "../../support/servers/webhook-receiver.ts";

/** Notifications by the screen of the administrator, and what their receivers get of the real server. */

const journey = await startJourney({ environment: { WEBHOOK_NETWORKS: "127.0.0.0/8" } });

interface Listed {
  readonly data: { readonly webhooks: readonly { readonly id: string }[] };
}

/** The second attempt of a test begins as the first did. */
async function removeAll(): Promise<void> {
  const { data } = await journey.call<Listed>("GET", "/api/admin/webhooks");
  for (const { id } of data.webhooks) await journey.call("DELETE", `/api/admin/webhooks/${id}`);
}

const verify = (secret: string, { body, headers }: Got) => new Webhook(secret).verify(body, { ...headers });

test("a webhook is added, tested, gets what happens, and a new secret", async () => {
  await removeAll();
  await using receiver = openReceiver();
  await using admin = await journey.admin();
  const { page } = admin;
  await page.goto("/admin/settings/notifications");
  await page.getByRole("button", { name: "Add notification" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("my house");
  // The cloud's own address is refused whatever networks are named.
  await page.getByLabel("Address", { exact: true }).fill("http://169.254.169.254:8080/");
  await page.getByLabel("A share was opened").check();
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText(/The server does not connect to this address/));
  await page.getByLabel("Address", { exact: true }).fill(`${receiver.address}/hook`);
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByRole("heading", { name: "Secret of “my house”" }));
  const secret = (await page.locator("dialog code").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Send a test" }).click();
  await seen(page.getByText("The test was delivered."));
  const { slug } = await journey.share({ content: "something" });
  expect((await fetch(`${journey.server.address}/api/raw/${slug}`)).status).toBe(200);
  await until(receiver.types, (types) => types.includes("share.opened"));
  for (const got of receiver.got) expect(() => verify(secret, got)).not.toThrow();

  await page.getByRole("button", { name: "New secret" }).click();
  await page.getByRole("button", { name: "Create new secret" }).click();
  await seen(page.getByText("The old secret stays valid for another 24 hours."));
  const fresh = (await page.locator("dialog code").textContent()) ?? "";
  expect(fresh).not.toBe(secret);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Send a test" }).click();
  await until(
    () => receiver.got.length,
    (count) => count === 3,
  );
  const last = receiver.got[2];
  for (const one of [secret, fresh]) expect(() => last && verify(one, last)).not.toThrow();
});

test("one whose receiver is gone is switched off, and the dashboard says so until it is switched on", async () => {
  await removeAll();
  await using receiver = openReceiver(() => new Response(null, { status: 410 }));
  await using admin = await journey.admin();
  const { page } = admin;
  const body = { name: "gone", kind: "slack", address: receiver.address, events: ["share.spent"] };
  await journey.call("POST", "/api/admin/webhooks", body);
  const { slug } = await journey.share({ content: "something", maxViews: 1 });
  await fetch(`${journey.server.address}/api/raw/${slug}`);
  await until(
    () => journey.call<Listed>("GET", "/api/admin/webhooks"),
    ({ data }) => JSON.stringify(data).includes('"disabled_reason":"gone"'),
  );
  await page.goto("/admin/dashboard");
  await seen(page.getByText(/The receiver of the notification “gone” no longer accepts messages/));
  await page.getByRole("link", { name: "See notifications" }).click();
  await seen(page.getByText("The receiver no longer accepts messages (410), so the server switched this off."));
  await page.getByRole("button", { name: "Deliveries" }).click();
  await seen(page.getByRole("dialog").getByText("The receiver no longer accepts messages (410)."));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Switch on" }).focus();
  await page.keyboard.press("Enter");
  await seen(page.getByText("Switched on. You will be told of new events from now on."));
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await gone(page.getByRole("heading", { name: "gone", exact: true }));
});

for (const language of ["zh", "en"] as const)
  for (const [theme, width] of [
    ["light", 390],
    ["dark", 390],
    ["light", 1280],
    ["dark", 1280],
  ] as const)
    test(`it fits ${width} pixels in ${language}, ${theme}`, async () => {
      await removeAll();
      await using receiver = openReceiver((_, count) => new Response(null, { status: count === 1 ? 204 : 500 }));
      const words = dictionaries[language].admin.webhooks;
      const locale = languages[language].locale;
      await using admin = await journey.admin({ width, height: 900, theme, locale });
      const { page } = admin;
      const shot = (name: string) => screenshot(page, `notifications-${name}-${language}-${theme}-${width}`);
      const fits = async (name: string) => {
        await shot(name);
        expect(await overhang(page)).toBe(0);
      };
      await page.goto("/admin/settings/notifications");
      await seen(page.getByText(words.emptyTitle));
      await fits("none");
      const make = (body: object) => journey.call<{ data: { id: string } }>("POST", "/api/admin/webhooks", body);
      const events = ["share.opened", "share.spent", "upload.failed", "backup.failed", "storage.full", "sign_in.new"];
      const { data } = await make({ name: "home automation", kind: "standard", address: receiver.address, events });
      await make({ name: "手机", kind: "ntfy", address: "https://ntfy.sh/satchel-of-mine", token: "tk", events });
      for (let n = 0; n < 2; n++) await journey.call("POST", `/api/admin/webhooks/${data.id}/test`);
      await page.reload();
      await seen(page.getByText("home automation"));
      await fits("list");
      await page.getByRole("button", { name: words.card.deliveries }).first().click();
      await seen(page.getByText(words.problems.status.replace("{{status}}", "500")));
      await fits("deliveries");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: words.add }).click();
      await page.getByLabel(words.form.kind).selectOption("gotify");
      await fits("form");
    });
