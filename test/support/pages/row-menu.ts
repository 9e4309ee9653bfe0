import { screen } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";

/** Opens the menu of the only row, or of the one that is called so, and presses what it offers. */
export async function choose(user: ReturnType<typeof userEvent.setup>, item: string, row = ""): Promise<void> {
  await user.click(await screen.findByRole("button", { name: new RegExp(`^(More for|.*的更多操作).*${row}`) }));
  await user.click(screen.getByRole("menuitem", { name: item }));
}
