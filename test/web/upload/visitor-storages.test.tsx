import { expect, test } from "bun:test";
import { screen, within } from "@testing-library/react";
import type { OfferedStorage } from "#contract/storage";
import { answer } from "../../support/page-servers/fake-server.ts";
import { fileOf } from "../../support/page-servers/uploads-at.ts";
import { openUpload, pageServer } from "./open-upload.tsx";

/** All that a visitor is told of a storage. */
const offered = (id: string, name: string, is_default: number): OfferedStorage => ({
  id,
  name,
  provider_type: "Built-in disk",
  is_public: 1,
  is_default,
});

test("visitors choose a storage by its name, without being told how much it takes", async () => {
  await using server = pageServer({ visitors: ["file_share"] });
  const storages = [offered("a", "Attic", 1), offered("b", "Barn", 0)];
  server.instead((line) => (line === "GET /s3-configs" ? answer({ data: storages }) : undefined));
  const { user, pick } = await openUpload(server);
  await pick(fileOf("one", 1500));
  const chip = () => screen.findByRole("button", { name: /^Storage:/ });
  await user.click(await chip());
  const [attic, barn] = within(screen.getByRole("dialog", { name: "Storage" })).getAllByRole("button");
  expect([attic?.textContent, barn?.textContent]).toEqual(["Attic (Built-in disk)default", "Barn (Built-in disk)"]);
  if (barn) await user.click(barn);
  expect((await chip()).textContent).toContain("Barn");
  expect(screen.queryByText(/only .* left/)).toBeNull();
});
