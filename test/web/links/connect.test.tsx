import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { LinkRecord } from "#contract/links";
import { createQueries } from "../../../web/app/app.tsx";
import { i18n } from "../../../web/i18n/i18n.ts";
import { LinkConnect } from "../../../web/ui/link-form/connect.tsx";
import { answer, fakeServer } from "../fake-server.ts";
import { linkRecord } from "./link-record.ts";

/** What is shown, by its name, and what is said below it. */
function shown(part: Partial<LinkRecord>): Record<string, string[]> {
  render(
    <QueryClientProvider client={createQueries()}>
      <LinkConnect link={linkRecord(part)} />
    </QueryClientProvider>,
  );
  return facts();
}

function facts(): Record<string, string[]> {
  const terms = [...document.querySelectorAll("dt")];
  const said = (term: Element) =>
    [...(term.parentElement?.querySelectorAll("dd") ?? [])].map(({ textContent }) => textContent).filter(Boolean);
  return Object.fromEntries(terms.map((term) => [term.textContent, said(term)]));
}

const HOST = window.location.origin;

beforeEach(() => i18n.loadWords("link"));
afterEach(cleanup);

describe("what a link is used with besides a browser", () => {
  test("is a command for a terminal and an address for WebDAV, with the slug as the name", () => {
    expect(shown({})).toEqual({
      "List the content": [`curl ${HOST}/s/trip`, "Each line is a name and an address to download."],
      "WebDAV address": [`${HOST}/dav/`],
      Username: ["trip"],
      Password: ["Anything"],
    });
    expect(screen.getAllByRole("button", { hidden: true }).map((button) => button.getAttribute("aria-label"))).toEqual([
      "Copy: List the content",
      "Copy: WebDAV address",
      "Copy: Username",
    ]);
  });

  test("has curl ask for a password by naming the link alone", () => {
    const {
      "List the content": list,
      "Send a file": send,
      Password: password,
    } = shown({
      has_password: true,
      rights: ["view", "download", "upload"],
    });
    expect(list?.[0]).toBe(`curl -u trip ${HOST}/s/trip`);
    expect(send).toEqual([`curl -u trip -T photo.jpg ${HOST}/in/trip/`]);
    expect(password).toEqual(["The link's password"]);
  });

  test("is what its rights open", () => {
    expect(shown({ rights: ["view"] })["List the content"]?.[1]).toBe(
      "This link does not allow downloads, so only names can be seen.",
    );
    cleanup();
    expect(Object.keys(shown({ rights: ["upload"] }))).toEqual(["Send a file"]);
  });

  test("is a bucket of S3 as well, whose secret is asked for when somebody looks", async () => {
    const bucket = { endpoint: "https://host", region: "us-east-1", access_key_id: "trip", secret_access_key: "made" };
    await using server = fakeServer({ "GET /links/one/connection": () => answer({ data: { s3: bucket } }) });
    shown({});
    expect(server.seen).toEqual([]);
    const details = screen.getByRole("group");
    details.setAttribute("open", "");
    fireEvent(details, new Event("toggle"));
    await screen.findByText("made");
    expect(facts()).toMatchObject({
      "S3 endpoint": ["https://host"],
      "Access Key ID and bucket": ["trip"],
      "Secret Access Key": [
        "made",
        "Anyone with it can open this link without its password. A new password replaces it.",
      ],
    });
  });
});
