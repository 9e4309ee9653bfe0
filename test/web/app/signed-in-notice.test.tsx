import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Link, MemoryRouter, useLocation } from "react-router-dom";
import { SignedInNotice } from "../../../web/app/signed-in-notice.tsx";

const State = () => <output>{JSON.stringify(useLocation().state)}</output>;
const told = () => screen.queryByText(/You are signed in/) !== null;

test("the notice is told once: not in the history, not on the next page, not on the way back", async () => {
  const user = userEvent.setup();
  render(
    <MemoryRouter initialEntries={[{ pathname: "/", state: { notice: "signedIn" } }]}>
      <SignedInNotice />
      <State />
      <Link to="/elsewhere">Away</Link>
      <Link to="/">Back</Link>
    </MemoryRouter>,
  );
  expect(told()).toBe(true);
  expect(document.querySelector("output")?.textContent).toBe("null");
  await user.click(screen.getByRole("link", { name: "Away" }));
  expect(told()).toBe(false);
  await user.click(screen.getByRole("link", { name: "Back" }));
  expect(told()).toBe(false);
});
