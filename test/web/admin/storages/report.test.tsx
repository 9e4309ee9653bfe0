import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { type Examination, examinations, type StorageReport } from "#contract/storage-report";
import { credential } from "../../../../web/api/session/credential.ts";
import { markOf, timeText } from "../../../../web/features/admin/storages/report/report-text.ts";
import { answer, refusal } from "../../../support/page-servers/fake-server.ts";
import { cloud, keeping, PATH, sent } from "../../../support/page-servers/kept-storages.ts";
import { openAt } from "../../../support/pages/open-at.tsx";

type Step = StorageReport["result"]["steps"][number];

const passed = (id: Examination): Step => ({
  id,
  name: `Step ${id}`,
  success: true,
  skipped: false,
  duration: 12,
  message: `Found ${id}.`,
  advice: null,
});
const failed = (id: Examination): Step => ({ ...passed(id), success: false, advice: `Do ${id}.` });

/** A report in which some steps are other than passed; only what the page shows of it. */
function reported(summary: string, others: Partial<Record<Examination, Step>> = {}) {
  const steps = examinations.map((id) => others[id] ?? passed(id));
  const connectionInfo = {
    bucket: "files",
    endpoint: "http://minio.lan:9000",
    region: "",
    pathStyle: true,
    provider: "MinIO",
    defaultFolder: "",
    customHost: null,
    signatureExpiresIn: 3600,
  };
  const success = steps.every((step) => step.success);
  return answer({ message: summary, data: { success, result: { steps, connectionInfo } } });
}

const TEST = "POST /s3-configs/cloud/test";
const CORS = "POST /s3-configs/cloud/cors";
const sheet = () => within(screen.getByRole("dialog", { name: "Test of “Cloud”" }));
const step = (id: Examination) => {
  const item = sheet()
    .getAllByRole("listitem")
    .find((one) => one.textContent?.includes(`Step ${id}`));
  if (!item) throw new Error(`There is no step ${id}.`);
  return within(item);
};

async function openReport() {
  const place = await openAt(PATH);
  const card = within(await screen.findByRole("region", { name: "Cloud" }));
  const open = () => place.user.click(card.getByRole("button", { name: "Test" }));
  await open();
  return { ...place, open };
}

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("the test of a storage", () => {
  test("says what it does while it runs, then what was found", async () => {
    const late = Promise.withResolvers<Response>();
    await using api = keeping([cloud], { [TEST]: () => late.promise });
    await openReport();
    expect(sheet().getByRole("status").textContent).toStartWith("Trying everything with a small file");
    expect(sheet().getByRole("button", { name: "Test again" }).getAttribute("aria-busy")).toBe("true");
    late.resolve(reported("Everything works."));
    expect(await sheet().findByText("Everything works.")).toBeDefined();
    expect(sheet().getAllByRole("listitem").length).toBe(examinations.length);
    for (const part of ["Passed", "Step multipart", "12 ms", "Found multipart."]) {
      expect(step("multipart").getByText(part)).toBeDefined();
    }
    for (const part of ["MinIO", "http://minio.lan:9000", "files", "Not given", "Top level"]) {
      expect(sheet().getByText(part)).toBeDefined();
    }
    expect(sheet().queryByRole("button", { name: /CORS/ })).toBeNull();
    expect(sent(api, TEST)).toEqual([{}]);
  });

  test("marks what failed, what was not tried and what is worth a look, and says what to do", async () => {
    const skipped = { ...passed("head"), success: false, skipped: true };
    const advised = { ...passed("public"), advice: "Turn on use_proxy." };
    await using _api = keeping([cloud], {
      [TEST]: () => reported("These checks failed: Write.", { write: failed("write"), head: skipped, public: advised }),
    });
    await openReport();
    expect((await sheet().findByRole("alert")).textContent).toStartWith("These checks failed: Write.");
    for (const part of ["Failed", "Do write."]) expect(step("write").getByText(part)).toBeDefined();
    expect(step("head").getByText("Skipped")).toBeDefined();
    expect(step("head").queryByText("12 ms")).toBeNull();
    for (const part of ["Passed, with advice", "Turn on use_proxy."]) {
      expect(step("public").getByText(part)).toBeDefined();
    }
  });

  test("can be run again, and is a new one each time it is opened", async () => {
    let runs = 0;
    await using _api = keeping([cloud], { [TEST]: () => reported(`Run ${++runs}.`) });
    const { user, open } = await openReport();
    await sheet().findByText("Run 1.");
    await user.click(sheet().getByRole("button", { name: "Test again" }));
    await sheet().findByText("Run 2.");
    await user.click(sheet().getByRole("button", { name: "Close" }));
    await open();
    expect(await sheet().findByText("Run 3.")).toBeDefined();
  });

  test("goes on while its sheet is closed, and is not run twice", async () => {
    const late = Promise.withResolvers<Response>();
    await using api = keeping([cloud], { [TEST]: () => late.promise });
    const { user, open } = await openReport();
    await user.click(sheet().getByRole("button", { name: "Close" }));
    await open();
    late.resolve(reported("Everything works."));
    expect(await sheet().findByText("Everything works.")).toBeDefined();
    expect(sent(api, TEST).length).toBe(1);
  });

  test("that cannot be run says why", async () => {
    await using _api = keeping([cloud], { [TEST]: () => refusal("storage.testing", "A test is running.") });
    await openReport();
    expect((await sheet().findByRole("alert")).textContent).toBe("A test is running.");
  });

  test("is copied as text", async () => {
    await using _api = keeping([cloud], { [TEST]: () => reported("One failed.", { write: failed("write") }) });
    const { user } = await openReport();
    await user.click(await sheet().findByRole("button", { name: "Copy report" }));
    const lines = (await navigator.clipboard.readText()).split("\n");
    expect(lines.slice(0, 6)).toEqual([
      "Test of “Cloud”: One failed.",
      "MinIO · http://minio.lan:9000 · files",
      "",
      "[Failed] Step write (12 ms): Found write.",
      "  Do write.",
      "[Passed] Step head (12 ms): Found head.",
    ]);
    expect(lines.length).toBe(4 + examinations.length);
  });
});

describe("CORS that is missing", () => {
  test("is set for this address with one press, and the storage is tested again", async () => {
    let allowed = false;
    await using api = keeping([cloud], {
      [TEST]: () =>
        allowed
          ? reported("Everything works.")
          : reported("CORS is missing.", { cors: failed("cors"), etag_exposed: failed("etag_exposed") }),
      [CORS]: () => {
        allowed = true;
        return answer({ data: null });
      },
    });
    const { user } = await openReport();
    await sheet().findByText("CORS is missing.");
    await user.click(step("cors").getByRole("button", { name: "Set CORS for this address" }));
    expect(await sheet().findByText("Everything works.")).toBeDefined();
    expect(document.activeElement).toBe(sheet().getByRole("button", { name: "Test again" }));
    expect(sent(api, CORS)).toEqual([{ origins: ["http://localhost:8787"] }]);
    expect(sent(api, TEST).length).toBe(2);
  });

  test("stays as it is when the provider refuses, and that is said where it was tried", async () => {
    await using api = keeping([cloud], {
      [TEST]: () => reported("No ETag.", { etag_exposed: failed("etag_exposed") }),
      [CORS]: () => refusal("storage.corsRefused", "The key may not change the bucket."),
    });
    const { user } = await openReport();
    await sheet().findByText("No ETag.");
    await user.click(step("etag_exposed").getByRole("button", { name: "Set CORS for this address" }));
    expect(await step("etag_exposed").findByText("The key may not change the bucket.")).toBeDefined();
    expect(sent(api, TEST).length).toBe(1);
  });

  test.each([
    ["nothing can be tried", { ...failed("cors"), skipped: true }],
    ["nothing can be written, which is to be mended first", failed("cors")],
  ])("is no matter while %s", async (_, cors) => {
    await using _api = keeping([cloud], { [TEST]: () => reported("Broken.", { write: failed("write"), cors }) });
    await openReport();
    await sheet().findByText("Broken.");
    await waitFor(() => expect(sheet().queryAllByRole("button", { name: /CORS/ }).length).toBe(0));
  });
});

test("marks and times", () => {
  expect(markOf({ success: false, skipped: true, advice: "x" })).toBe("skipped");
  expect(markOf({ success: true, skipped: false, advice: null })).toBe("passed");
  expect([0.4, 1, 999, 1650].map(timeText)).toEqual(["< 1 ms", "1 ms", "999 ms", "1.6 s"]);
});
