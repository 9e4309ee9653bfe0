import { expect, spyOn, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { dateTime } from "../../../web/lib/time.ts";
import { MARK, TimedText } from "../../../web/ui/share-gate/facts.tsx";

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

test("a time is exact to whoever taps it, and a distance again at the second tap", async () => {
  const { container } = shown();
  await userEvent.click(screen.getByText("in 3 days"));
  expect(container.textContent).toBe(`expires ${exact}`);
  await userEvent.click(screen.getByText(exact));
  expect(container.textContent).toBe("expires in 3 days");
});

test("a time that has the pointer over it is described by the exact one", async () => {
  shown();
  await userEvent.hover(screen.getByText("in 3 days"));
  expect(screen.getByText("in 3 days").title).toBe(exact);
});
