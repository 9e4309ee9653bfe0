import { beforeEach, describe, expect, test } from "bun:test";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReadyText } from "#contract/connect";
import type { LinkConnection, LinkRecord } from "#contract/links";
import { createQueries } from "../../../web/app/app.tsx";
import { i18n } from "../../../web/i18n/i18n.ts";
import { LinkConnect } from "../../../web/ui/link-form/connect.tsx";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { linkRecord } from "../../support/page-servers/link-record.ts";

const ready = (tool: ReadyText["tool"], does: ReadyText["does"], text: string, file: string | null = null) => ({
  ...{ tool, does, text, file },
  via: "",
});

const collecting: LinkConnection = {
  s3: null,
  dav_address: null,
  texts: [
    ready("curl", "send", "curl -u trip -T photo.jpg https://host/in/trip/"),
    ready("sharex", "send", "Basic {base64:trip:PASSWORD}", "host-trip.sxcu"),
  ],
  form: { address: "https://host/in/trip", field: "file", header: null },
};

const showing: LinkConnection = {
  s3: { endpoint: "https://host", region: "us-east-1", access_key_id: "trip", secret_access_key: "made" },
  dav_address: "https://host/dav/",
  texts: [ready("curl", "list", "curl https://host/s/trip")],
  form: null,
};

const serving = (connection: LinkConnection) =>
  fakeServer({ "GET /links/one/connection": () => answer({ data: connection }) });

function show(part: Partial<LinkRecord>) {
  render(
    <QueryClientProvider client={createQueries()}>
      <LinkConnect link={linkRecord(part)} />
    </QueryClientProvider>,
  );
}

function unfold() {
  const details = screen.getAllByRole("group")[0];
  if (!details) throw new Error("Nothing to unfold.");
  details.setAttribute("open", "");
  fireEvent(details, new Event("toggle"));
}

const choose = async (name: string) => fireEvent.click(await screen.findByRole("radio", { name }));

/** What is shown, by its name, and what is said below it. */
function facts(): Record<string, string[]> {
  const terms = [...document.querySelectorAll("dt")];
  const said = (term: Element) =>
    [...(term.parentElement?.querySelectorAll("dd") ?? [])].map(({ textContent }) => textContent).filter(Boolean);
  return Object.fromEntries(terms.map((term) => [term.textContent, said(term)]));
}

beforeEach(() => i18n.loadWords("link", "connect"));

describe("what a link is used with besides a browser", () => {
  test("is asked for when somebody looks, because the secret of S3 is in it", async () => {
    await using server = serving(showing);
    show({});
    expect(server.seen).toEqual([]);
    unfold();
    await choose("S3");
    expect(facts()).toEqual({
      Endpoint: ["https://host"],
      "Access Key ID and bucket": ["trip"],
      "Secret Access Key": [
        "made",
        "Anyone with it can open this link without its password. A new password replaces it.",
      ],
      Region: ["us-east-1"],
    });
  });

  test("is a command for a terminal, and an address for WebDAV with the slug as the name", async () => {
    await using _server = serving(showing);
    show({});
    unfold();
    expect((await screen.findByRole("region", { name: "List the content" })).textContent).toContain("/s/trip");
    expect(screen.getByText("Each line is a name and an address to download.")).toBeDefined();
    await choose("WebDAV");
    expect(facts()).toEqual({ Address: ["https://host/dav/"], Username: ["trip"], Password: ["Anything"] });
    expect(screen.getAllByRole("button", { name: /^Copy: / }).map((one) => one.getAttribute("aria-label"))).toEqual([
      "Copy: Address",
      "Copy: Username",
    ]);
    cleanup();
    show({ rights: ["view"], has_password: true });
    unfold();
    expect(await screen.findByText(/so only names can be seen/)).toBeDefined();
    await choose("WebDAV");
    expect(facts().Password).toEqual(["The link's password"]);
  });

  test("says where its password belongs, which nobody here knows", async () => {
    await using _server = serving(collecting);
    show({ rights: ["upload"], has_password: true });
    unfold();
    await screen.findByRole("region", { name: "Send a file" });
    expect(screen.queryByText(/Replace PASSWORD/)).toBeNull();
    await choose("ShareX");
    expect(screen.getByText("Replace PASSWORD with the link's password.")).toBeDefined();
    expect(screen.getByRole("button", { name: "Save host-trip.sxcu" })).toBeDefined();
  });

  test("is a shortcut on a phone, whose address is a QR code", async () => {
    await using _server = serving(collecting);
    show({ rights: ["upload"] });
    unfold();
    await choose("iOS Shortcut");
    // Toasts of tests before are items of a list, too.
    const steps = screen.getAllByRole("listitem").filter((item) => !item.matches("[data-sonner-toast]"));
    expect(steps.length).toBe(4);
    fireEvent.click(screen.getByRole("button", { name: "QR code of the address" }));
    expect(await screen.findByRole("img", { name: /QR/ })).toBeDefined();
  });

  test("says that it could not be loaded", async () => {
    await using _server = fakeServer({
      "GET /links/one/connection": () => refusal("share.missing", "This link does not exist (404)."),
    });
    show({});
    unfold();
    expect(await screen.findByText("This link does not exist.")).toBeDefined();
  });
});
