import { afterEach, describe, expect, test } from "bun:test";
import { cleanup, screen } from "@testing-library/react";
import type { FileProgress, OpenedFile } from "#contract/files";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { lookedAt, openedFile } from "../../support/page-servers/file-answers.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const LOOK = "GET /public/files/abc234";
const EVENTS = "GET /shares/abc234/events";
const MiB = 1024 * 1024;

/** A stream of events to which the test adds, and the answer that it is. */
function eventsOf() {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      stream = controller;
    },
  });
  return {
    answer: () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
    tell: (progress: FileProgress) =>
      stream?.enqueue(new TextEncoder().encode(`event: file\ndata: ${JSON.stringify(progress)}\n\n`)),
    end: () => stream?.close(),
  };
}

const arriving = (more: Partial<OpenedFile> = {}) =>
  answer({ data: lookedAt({ state: "uploading", received: 0, size: 10 * MiB, ...more }) });

afterEach(async () => {
  cleanup();
  await setLanguage("en");
});

describe("a file that is on its way", () => {
  test("shows how much has come, and then itself", async () => {
    const stream = eventsOf();
    let isThere = false;
    await using server = fakeServer({
      [LOOK]: () => (isThere ? answer({ data: openedFile() }) : arriving()),
      [EVENTS]: stream.answer,
    });
    await openAt("/file/abc234");
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("The file is being uploaded");
    const bar = await screen.findByRole("progressbar", { name: "Upload progress" });
    expect(bar.getAttribute("aria-valuenow")).toBe("0");
    stream.tell({ state: "uploading", received: 4 * MiB, size: 10 * MiB });
    expect(await screen.findByText("4 MB of 10 MB uploaded (40%)")).toBeDefined();
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("40");
    stream.tell({ state: "stalled", received: 4 * MiB, size: 10 * MiB });
    expect((await screen.findByText(/seems to be interrupted/)).role).toBe("status");
    isThere = true;
    stream.tell({ state: "ready", received: 10 * MiB, size: 10 * MiB });
    expect(await screen.findByRole("heading", { name: "holiday.png" })).toBeDefined();
    expect(server.lines()).toEqual([LOOK, EVENTS, LOOK]);
  });

  test("asks for its password once it is there", async () => {
    const stream = eventsOf();
    let isThere = false;
    const locked = { requires_password: true, has_password: true };
    await using _server = fakeServer({
      [LOOK]: () => (isThere ? answer({ data: lookedAt(locked) }) : arriving(locked)),
      [EVENTS]: stream.answer,
    });
    await openAt("/file/abc234");
    expect(await screen.findByText("0 B of 10 MB uploaded (0%)")).toBeDefined();
    expect(screen.queryByLabelText("Password")).toBeNull();
    isThere = true;
    stream.tell({ state: "ready", received: 10 * MiB, size: 10 * MiB });
    expect(await screen.findByLabelText("Password")).toBeDefined();
  });

  test("says so when its sender gives up, in both languages", async () => {
    const stream = eventsOf();
    await using _server = fakeServer({ [LOOK]: () => arriving({ received: undefined }), [EVENTS]: stream.answer });
    await openAt("/file/abc234");
    // Nobody knows how much of a file in one piece has come.
    expect(await screen.findByText("10 MB in total")).toBeDefined();
    expect(screen.queryByRole("progressbar")).toBeNull();
    await setLanguage("zh");
    expect(await screen.findByText("文件正在上传")).toBeDefined();
    stream.tell({ state: "failed", size: null });
    expect(await screen.findByText("上传没有完成")).toBeDefined();
    await setLanguage("en");
    expect((await screen.findByRole("alert")).textContent).toMatch(/The sender cancelled it/);
  });

  test("follows a stream that broke by another, until the share is gone", async () => {
    const first = eventsOf();
    let asked = 0;
    await using server = fakeServer({
      [LOOK]: () => arriving(),
      [EVENTS]: () => (++asked === 1 ? first.answer() : refusal("share.missing")),
    });
    await openAt("/file/abc234");
    first.tell({ state: "uploading", received: MiB, size: 10 * MiB });
    expect(await screen.findByText(/1 MB of 10 MB/)).toBeDefined();
    first.end();
    expect(await screen.findByText("The upload was not finished", undefined, { timeout: 60_000 })).toBeDefined();
    expect(server.lines()).toEqual([LOOK, EVENTS, EVENTS]);
  });
});
