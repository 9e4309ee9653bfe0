import { afterEach, expect, test } from "bun:test";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { loadWords } from "../../../web/i18n/i18n.ts";
import { SystemShare } from "../../../web/ui/share-result/system-share.tsx";

await loadWords("shell", "share");

const link = "https://host.example/paste/abc";

/** What the browser can hand a link to. */
const deviceThat = (share: (data: ShareData) => Promise<void>) =>
  Object.defineProperty(navigator, "share", { value: share, configurable: true });

afterEach(() => {
  cleanup();
  Reflect.deleteProperty(navigator, "share");
});

test("hands a link to the apps of the device", async () => {
  const shared: ShareData[] = [];
  deviceThat(async (data) => void shared.push(data));
  render(<SystemShare link={link} />);
  await userEvent.click(screen.getByRole("button", { name: "Share" }));
  expect(shared).toEqual([{ url: link }]);
});

test("copies nothing when somebody changes their mind, and the link when it fails", async () => {
  const user = userEvent.setup();
  const failures = [new DOMException("closed", "AbortError"), new DOMException("no", "NotAllowedError")];
  deviceThat(() => Promise.reject(failures.shift()));
  await navigator.clipboard.writeText("what was there");
  render(<SystemShare link={link} />);
  const button = screen.getByRole("button", { name: "Share" });
  await user.click(button);
  expect(await navigator.clipboard.readText()).toBe("what was there");
  await user.click(button);
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(link));
});

test("is not there where the browser hands links to nobody", () => {
  render(<SystemShare link={link} />);
  expect(screen.queryByRole("button")).toBeNull();
});
