import { expect } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";

/** A field of the dialog that is open, and a button of it. */
export const field = (label: string) => within(screen.getByRole("dialog")).getByLabelText(label) as HTMLInputElement;
export const press = (name: string) => within(screen.getByRole("dialog")).getByRole("button", { name });

/** The card that is called so. */
export const card = async (name: string) => within(await screen.findByRole("region", { name }));

export const dialogGone = () => waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
