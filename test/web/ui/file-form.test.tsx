import { describe, expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import type { FileChange, FileRecord } from "#contract/files";
import { ApiFailure } from "../../../web/api/failure.ts";
import { fileShare } from "../../../web/ui/share-form/file-share.tsx";
import { ShareSheet } from "../../../web/ui/share-form/share-sheet.tsx";
import { fileRecord } from "../../support/page-servers/file-answers.ts";

describe("a change of a file share", () => {
  const file = fileRecord({ expires_at: "2026-06-02T10:20:30.400Z", max_views: 5, has_password: true, remark: "old" });
  const values = fileShare.valuesFrom(file);

  test("holds only what differs, in the names of the wire", () => {
    expect(fileShare.changeOf(values, file)).toEqual({});
    expect(fileShare.changeOf({ ...values, remark: "new", expiry: "", views: "", slug: " " }, file)).toEqual({
      remark: "new",
      expires_at: null,
      max_views: 0,
      slug: null,
    });
    expect(fileShare.changeOf({ ...values, slug: "better", useProxy: false, resetViews: true }, file)).toEqual({
      slug: "better",
      use_proxy: false,
      resetViews: true,
    });
  });

  test("takes the password away with an empty one, and sets a new one as it is", () => {
    expect(fileShare.changeOf({ ...values, password: "p", clearPassword: true }, file)).toEqual({ password: "" });
    expect(fileShare.changeOf({ ...values, password: "p" }, file)).toEqual({ password: "p" });
  });
});

interface FormProps {
  readonly file: FileRecord;
  readonly save?: (change: FileChange) => Promise<unknown>;
  readonly onUnchanged?: () => void;
}

const Form = ({ file, save = async () => undefined, onUnchanged = () => undefined }: FormProps) => (
  <MemoryRouter>
    <ShareSheet
      kind={fileShare}
      title="Edit"
      loading={{ data: file, error: null, refetch: () => undefined }}
      save={save}
      onClose={onUnchanged}
    />
  </MemoryRouter>
);

describe("the form", () => {
  test("of a sealed share offers no password, and says that what is in it stays", () => {
    render(<Form file={fileRecord({ sealed: true })} />);
    expect(screen.queryByLabelText("New password")).toBeNull();
    expect(screen.getByText(/This share is sealed/)).toBeDefined();
    expect(screen.getByLabelText("View limit")).toBeDefined();
  });

  test("shows the name to read only, and the way of serving only where it makes a difference", () => {
    const { unmount } = render(<Form file={fileRecord()} />);
    expect((screen.getByLabelText("File name") as HTMLInputElement).readOnly).toBe(true);
    expect(screen.queryByLabelText("Serve through this server")).toBeNull();
    unmount();
    render(<Form file={fileRecord({ storage_provider_type: "Cloudflare R2" })} />);
    expect((screen.getByLabelText("Serve through this server") as HTMLInputElement).checked).toBe(true);
  });

  test("says what is wrong at the first field that is, and sends nothing", async () => {
    const sent: FileChange[] = [];
    const user = userEvent.setup();
    render(<Form file={fileRecord()} save={async (change) => sent.push(change)} />);
    const slug = screen.getByLabelText("Link suffix");
    await user.type(slug, " no");
    await user.type(screen.getByLabelText("View limit"), "x");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual([
      "Only letters, digits, - and _, at most 50 of them.",
      "Enter 0 or a larger whole number.",
    ]);
    expect(document.activeElement === slug).toBe(true);
    expect(sent).toEqual([]);
  });

  test("shows a taken suffix at its field", async () => {
    const user = userEvent.setup();
    const taken = async () => {
      throw new ApiFailure({ code: "slug.taken", status: 409, message: "taken" });
    };
    render(<Form file={fileRecord()} save={taken} />);
    await user.type(screen.getByLabelText("Link suffix"), "x");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect((await screen.findByRole("alert")).textContent).toBe("This suffix is taken. Please choose another one.");
  });

  test("saves what was changed, and nothing when nothing was", async () => {
    const sent: FileChange[] = [];
    let unchanged = 0;
    const user = userEvent.setup();
    render(
      <Form
        file={fileRecord({ has_password: true, storage_provider_type: "AWS S3" })}
        save={async (change) => sent.push(change)}
        onUnchanged={() => {
          unchanged += 1;
        }}
      />,
    );
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(unchanged).toBe(1);
    await user.click(screen.getByLabelText("Remove the password"));
    await user.click(screen.getByLabelText("Reset the view count"));
    await user.click(screen.getByLabelText("Serve through this server"));
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(sent).toEqual([{ password: "", resetViews: true, use_proxy: false }]);
  });
});
