import { afterEach, beforeEach, expect, test } from "bun:test";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { loadWords, setLanguage } from "../../../web/i18n/i18n.ts";
import { ExpiryField } from "../../../web/ui/share-options/expiry-field.tsx";

/** The chips of when a share ends, where the administrator lets none last for ever. */

beforeEach(async () => {
  await act(() => setLanguage("en"));
  await loadWords("share");
  Object.assign(window, {
    appConfig: { backendUrl: "", sharing: { defaultHours: 0, longestHours: 168, visitorHours: 0 } },
  });
});
afterEach(() => {
  cleanup();
  Object.assign(window, { appConfig: undefined });
});

const AT = "2031-05-01T10:00";

function Form({ before, first }: { readonly before: string; readonly first: string }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <ExpiryField value={value} before={before} error={undefined} onChange={setValue} />
      <output>{value}</output>
    </>
  );
}

function show(before: string, first: string) {
  render(<Form before={before} first={first} />);
  const chips = () => screen.getAllByRole("button");
  const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
  return { chips, press, value: () => screen.getByRole("status").textContent };
}

test("something new cannot be for ever, and goes back to what it was to be at first", () => {
  const { chips, press, value } = show("", AT);
  expect(screen.queryByRole("button", { name: "Never" })).toBeNull();
  press("1 day");
  expect(value()).not.toBe(AT);
  fireEvent.click(chips()[0] as HTMLElement);
  expect(value()).toBe(AT);
});

test("what is for ever may stay so", () => {
  const { press, value } = show("", "");
  press("1 day");
  expect(value()).not.toBe("");
  press("Never");
  expect(value()).toBe("");
});
