import { afterEach, expect, spyOn, test } from "bun:test";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { dateTime } from "../../web/lib/time.ts";
import { MARK, TimedText } from "../../web/ui/share-gate/facts.tsx";

afterEach(cleanup);

const at = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000).toISOString();
const exact = dateTime(at, "en");

const shown = () => render(<TimedText text={`expires ${MARK}`} at={at} />);

test("a time is a distance from now at first, without the cost of dates", () => {
  using formats = spyOn(Intl, "DateTimeFormat");
  const { container } = shown();
  expect(container.textContent).toBe("expires in 3 days");
  expect(container.querySelector("time")?.dateTime).toBe(at);
  expect(formats).not.toHaveBeenCalled();
});

test("a time is exact to whoever presses it, by finger or key, and a distance again at the second press", async () => {
  const { container } = shown();
  await userEvent.click(screen.getByRole("button", { name: "in 3 days" }));
  expect(container.textContent).toBe(`expires ${exact}`);
  await userEvent.keyboard("{Enter}");
  expect(container.textContent).toBe("expires in 3 days");
});

test("a time that has the focus, or the pointer over it, is described by the exact one", async () => {
  shown();
  await userEvent.tab();
  expect(screen.getByRole("button", { name: "in 3 days" }).title).toBe(exact);
  cleanup();
  shown();
  await userEvent.hover(screen.getByRole("button"));
  expect(screen.getByRole("button").title).toBe(exact);
});
