import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { noOptions } from "../../../web/ui/share-options/options.ts";
import { ShareChips } from "../../../web/ui/share-options/share-chips.tsx";

test("every chip with something wrong shows it, whichever was filled in last", () => {
  const options = { ...noOptions, slug: "bad slug!", maxViews: "-5", expiry: { kind: "at", time: 1 } as const };
  const nothing = () => undefined;
  render(<ShareChips options={options} onChange={nothing} problem={undefined} open={undefined} onOpen={nothing} />);
  const wrong = screen.getAllByRole("button").filter(({ className }) => className.includes("text-danger"));
  expect(wrong.map((chip) => chip.getAttribute("aria-label")?.split(":")[0])).toEqual([
    "Expiry",
    "Views",
    "Link suffix",
  ]);
});
