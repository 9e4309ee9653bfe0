import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { writing } from "../../../web/features/paste/home/writing.ts";
import { createSealing, sealing } from "../../../web/page/sealing.ts";
import { fakeServer } from "../../support/page-servers/fake-server.ts";
import { signInWithKey, visitorsMay } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const VISITORS = "GET /system/visitors";
const toggle = () => screen.getByRole("switch", { name: /^Sealed:/ });
const isOn = () => toggle().getAttribute("aria-checked") === "true";
const chip = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name}:`) });
const means = /the server cannot/;

afterEach(() => {
  cleanup();
  writing.startOver();
  sealing.choose(false);
  credential.signOut("loggedOut");
});

describe("the switch on Home", () => {
  beforeEach(() => credential.signIn("token", "admin", Date.now()));

  test("says what it means as long as it is on, and is remembered", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    expect(isOn()).toBe(false);
    expect(screen.queryByText(means)).toBeNull();
    await user.click(toggle());
    expect(isOn()).toBe(true);
    expect(screen.getByText(means).textContent).toContain("Only people with the link can open it");
    cleanup();
    await openAt("/");
    expect(isOn()).toBe(true);
    await user.click(toggle());
    expect(screen.queryByText(means)).toBeNull();
  });

  test("says from the next share on that it is still on, and is turned off there", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    await user.click(toggle());
    expect(screen.queryByText("Still sealed, as last time.")).toBeNull();
    act(() => sealing.shared());
    expect(screen.getByText("Still sealed, as last time.")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Turn off" }));
    expect(isOn()).toBe(false);
    expect(screen.queryByText(means)).toBeNull();
    act(() => sealing.shared());
    expect(screen.queryByText(/^Still sealed/)).toBeNull();
  });

  test("makes the password that of the sealing: a long one, which can be made up", async () => {
    await using server = fakeServer({});
    const { user } = await openAt("/");
    await user.type(screen.getByRole("textbox", { name: "Text to share" }), "something");
    await user.click(chip("Password"));
    await user.type(screen.getByLabelText("Password", { selector: "input" }), "elevenchars{Enter}");
    expect(chip("Password").className).not.toContain("danger");
    await user.click(toggle());
    await user.click(screen.getByRole("button", { name: "Create link" }));
    expect((await screen.findByRole("alert")).textContent).toBe("At least 12 characters.");
    expect(server.seen.filter(({ line }) => line.startsWith("POST"))).toEqual([]);

    await user.click(screen.getByRole("button", { name: "Generate" }));
    const field = screen.getByLabelText("Password", { selector: "input" }) as HTMLInputElement;
    expect(field.value).toMatch(/^[a-z2-9]{20}$/);
    expect(field.type).toBe("text");
    await user.click(screen.getByRole("button", { name: "Copy" }));
    expect(await navigator.clipboard.readText()).toBe(field.value);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByText(/know the password can open it/)).toBeDefined();
  });

  test("says of the note that it is not sealed", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    await user.click(toggle());
    await user.click(chip("Note"));
    expect(screen.getByText("Not sealed: the server can read it.")).toBeDefined();
  });
});

describe("who sees the switch", () => {
  test("a key that may share files", async () => {
    signInWithKey("text", "file_share");
    await using _server = fakeServer({});
    await openAt("/");
    expect(toggle()).toBeDefined();
  });

  test("no key that may share texts alone", async () => {
    signInWithKey("text");
    await using _server = fakeServer({});
    await openAt("/");
    expect(screen.getByRole("button", { name: "Create link" })).toBeDefined();
    expect(screen.queryByRole("switch")).toBeNull();
  });

  test.each([
    [["text"], 0],
    [["text", "file_share"], 1],
  ] as const)("visitors who may %p: %p", async (rights, count) => {
    await using _server = fakeServer({ [VISITORS]: visitorsMay(...rights) });
    await openAt("/");
    await screen.findByRole("button", { name: "Create link" });
    await waitFor(() => expect(screen.queryAllByRole("switch").length).toBe(count));
  });
});

describe("without WebCrypto, as on plain http", () => {
  const native = crypto.subtle;
  beforeEach(() => {
    credential.signIn("token", "admin", Date.now());
    Object.defineProperty(crypto, "subtle", { value: undefined, configurable: true });
  });
  afterEach(() => void Object.defineProperty(crypto, "subtle", { value: native, configurable: true }));

  test("the switch cannot be turned on, and says why", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    expect(toggle().getAttribute("aria-disabled")).toBe("true");
    await user.click(toggle());
    expect(isOn()).toBe(false);
    expect(screen.getByText("Sealing needs a secure connection: open this site by https.")).toBeDefined();
  });

  test("nothing is sealed, whatever this browser remembers", () => {
    const storage = { get: () => "1", set: () => true, remove: () => undefined };
    expect(createSealing({ storage, able: () => false }).isOn()).toBe(false);
    const able = createSealing({ storage, able: () => true });
    expect([able.isOn(), able.carried.get()]).toEqual([true, true]);
  });
});
