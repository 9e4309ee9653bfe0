import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import type { FileRecord } from "#contract/files";
import type { Permission } from "#contract/permissions";
import type { StorageConfig } from "#contract/storage";
import { createQueries } from "../../../web/app/app.tsx";
import { createUploadState } from "../../../web/features/upload/state/upload-state.ts";
import { UploadPage } from "../../../web/features/upload/upload.tsx";
import { createUrlState } from "../../../web/features/upload/url/url-state.ts";
import { loadWords } from "../../../web/i18n/i18n.ts";
import { copyText } from "../../../web/lib/clipboard.ts";
import { sealing } from "../../../web/page/sealing.ts";
import { openUrl } from "../../../web/transfer/from-url/open.ts";
import type { UrlPorts } from "../../../web/transfer/from-url/run.ts";
import { bundleOf } from "../../../web/transfer/sealing/bundle.ts";
import { answer } from "../../support/page-servers/fake-server.ts";
import { listed } from "../../support/page-servers/kept-files.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import { putFrom, uploadsAt, urlUploadAt } from "../../support/page-servers/uploads-at.ts";
import { visitorsMay } from "../../support/pages/key-session.ts";

/** A storage as the page is told of it. */
export const storage = (id: string, more: Partial<StorageConfig> = {}): StorageConfig => ({
  id,
  name: "Built-in storage",
  provider_type: "Built-in disk",
  read_only: false,
  bucket_name: "drive",
  default_folder: "shares/",
  is_public: 1,
  is_default: 1,
  total_storage_bytes: 1024 ** 4,
  limit_bytes: null,
  free_bytes: null,
  used_bytes: 0,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  ...more,
});

interface Facts {
  readonly storages?: readonly StorageConfig[];
  /** Megabytes; null is a server that does not say. */
  readonly limit?: number | null;
  /** What was uploaded before, newest first. */
  readonly recent?: FileRecord[];
  /** What visitors may. */
  readonly visitors?: readonly Permission[];
  /** Whether the storage is another origin, which lets no page in. */
  readonly unreachable?: boolean;
}

type Intercept = (line: string) => Response | Promise<Response | undefined> | undefined;

/** A server that takes uploads and tells what the page asks beside them; the app is pointed at it. */
export function pageServer({
  storages = [storage("store")],
  limit = 100,
  recent = [],
  visitors = [],
  unreachable = false,
}: Facts = {}) {
  const server = uploadServer({ elsewhere: unreachable });
  server.storage?.setRules({ preflight: false });
  let intercept: Intercept = () => undefined;
  const tell = (line: string): Response | undefined => {
    if (line === "GET /s3-configs") return answer({ data: storages });
    if (line === "GET /system/visitors") return visitorsMay(...visitors)();
    if (line === "GET /files") return listed(...recent.slice(0, 3));
    if (line !== "GET /system/max-upload-size") return undefined;
    return limit === null ? new Response(null, { status: 500 }) : answer({ data: { max_upload_size: limit } });
  };
  server.onCall(async (line) => (await intercept(line)) ?? tell(line));
  Object.assign(window, { appConfig: { backendUrl: server.base } });
  return {
    ...server,
    /** Answers in place of the server. */
    instead(next: Intercept) {
      intercept = next;
    },
    /** How often a line was asked. */
    asked: (line: string) => server.calls.filter((call) => call.line === line).length,
    async [Symbol.asyncDispose]() {
      Object.assign(window, { appConfig: undefined });
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Opens the upload page over uploads of its own. */
export async function openUpload(
  server: { readonly base: string },
  { address = "/upload", open = openUrl }: { address?: string; open?: UrlPorts["open"] } = {},
) {
  await loadWords("share", "paste", "file", "upload");
  const { uploads, clock } = uploadsAt(server.base, { put: putFrom(server.base) });
  const fromWeb = urlUploadAt(server.base, open, { put: putFrom(server.base), clock });
  const urlState = createUrlState({
    machine: fromWeb.machine,
    call: fromWeb.call,
    copy: copyText,
    now: Date.now,
    window,
  });
  const uploadState = createUploadState({
    uploads,
    sealing,
    bundle: (files) => bundleOf(files, `${files.length} files.zip`),
    copy: copyText,
    now: Date.now,
    window,
  });
  const user = userEvent.setup();
  const show = () =>
    render(
      <QueryClientProvider client={createQueries()}>
        <MemoryRouter initialEntries={[address]}>
          <UploadPage uploadState={uploadState} urlState={urlState} />
        </MemoryRouter>
      </QueryClientProvider>,
    );
  const view = show();
  const picker = (): HTMLElement => {
    const input = document.querySelector<HTMLElement>("input[type=file]");
    if (!input) throw new Error("There is no file input.");
    return input;
  };
  return {
    uploadState,
    urlState,
    uploads,
    clock,
    /** What moves is shown anew. */
    tick: () => act(clock.tick),
    /** Lets the uploads go on until the condition holds; the test's own time limit ends what never happens. */
    async until(condition: () => boolean): Promise<void> {
      const turn = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        clock.tick();
      };
      while (!condition()) await act(turn);
    },
    user,
    /** Leaves the page; `show` comes back to it. */
    leave: view.unmount,
    show,
    pick: (...files: File[]) => user.upload(picker(), files),
  };
}

/** The row of a file, as an element. */
export function rowOf(name: string): HTMLElement {
  const row = screen.getByTitle(name).closest("li");
  if (!row) throw new Error(`${name} is in no row.`);
  return row;
}

/** The state of each row, in the order of the list. */
export const states = (): string[] =>
  Array.from(document.querySelectorAll("li[data-state]"), (row) => row.getAttribute("data-state") ?? "");

/** A small file with a text in it. */
export const small = (name: string, text = name, type = "application/x-test"): File =>
  new File([text], name, { type, lastModified: 1_700_000_000_000 });
