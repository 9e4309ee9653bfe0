import { expect, test } from "bun:test";
import { render } from "@testing-library/react";
import { FileName } from "../../../web/ui/file/file-name.tsx";

test("a name that is no UTF-8 is shown with its bytes, and said to be none", () => {
  const { container, getByRole, rerender, queryByRole } = render(<FileName name={"caf\uefe9.txt"} />);
  expect(container.textContent).toBe("caf\\xe9.txt");
  expect(getByRole("img").getAttribute("aria-label")).toBe("This name is not valid UTF-8.");
  rerender(<FileName name="café.txt" />);
  expect(container.textContent).toBe("café.txt");
  expect(queryByRole("img")).toBeNull();
});
