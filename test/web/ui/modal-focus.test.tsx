import { beforeEach, describe, expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { Sheet } from "../../../web/ui/overlay/dialog.tsx";
import { drive, keeping as keepingMounts, PATH as MOUNTS } from "../../support/page-servers/kept-mounts.ts";
import { builtIn, keeping as keepingStorages, PATH as STORAGES } from "../../support/page-servers/kept-storages.ts";
import { byTouch } from "../../support/pages/by-touch.ts";
import { openAt } from "../../support/pages/open-at.tsx";

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

/** What Enter and the next letter would go to. */
const focused = () => {
  const { activeElement: at } = document;
  return at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels?.[0]?.textContent : at?.tagName;
};

async function openForm(path: string, button: string) {
  const { user } = await openAt(path);
  await user.click(await screen.findByRole("button", { name: button }));
  await screen.findByRole("dialog");
}

describe("a sheet with a form", () => {
  test("opens in its first field", async () => {
    await using _mounts = keepingMounts([drive]);
    await openForm(MOUNTS, "Add mount");
    expect(focused()).toBe("Name");
  });

  test("opens in its first field, whatever it asks", async () => {
    await using _storages = keepingStorages([builtIn]);
    await openForm(STORAGES, "Add storage");
    expect(focused()).toBe("Name");
  });

  test("opens at its heading where a field would bring up a keyboard", async () => {
    await using _mounts = keepingMounts([drive]);
    using _touch = byTouch();
    await openForm(MOUNTS, "Add mount");
    expect(focused()).toBe("H2");
  });
});

describe("a sheet of something to read", () => {
  test("opens at its heading, not at the button that closes it", () => {
    render(
      <Sheet title="Details" onClose={() => undefined}>
        <input aria-label="Link" readOnly value="https://share.example/file/a" />
      </Sheet>,
    );
    expect(document.activeElement?.textContent).toBe("Details");
  });

  test("opens at what asks for it", () => {
    render(
      <Sheet
        title="Done"
        onClose={() => undefined}
        footer={
          <button type="button" data-autofocus>
            {"On"}
          </button>
        }
      >
        <form>
          <input aria-label="Name" />
        </form>
      </Sheet>,
    );
    expect(document.activeElement?.textContent).toBe("On");
  });
});
