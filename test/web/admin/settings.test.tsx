import { beforeEach, describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { accentStyle, ourAccent } from "#contract/accent";
import { credential } from "../../../web/api/session/credential.ts";
import { joinSize, splitSize } from "../../../web/features/admin/settings/size.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { answer, fakeServer } from "../../support/page-servers/fake-server.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const initial: Record<string, Record<string, string>> = {
  "1": {
    max_upload_size: "10240",
    proxy_sign_all: "true",
    proxy_sign_expires: "0",
    file_naming_strategy: "overwrite",
    trash_days: "7",
    default_use_proxy: "false",
    max_visitor_texts: "256",
    max_key_texts: "1024",
    max_total_texts: "4096",
    activity_log: "true",
    activity_days: "90",
  },
  "2": Object.fromEntries(
    ["text", "image", "video", "audio", "office", "document"].map((kind) => [`preview_${kind}_types`, `${kind},x`]),
  ),
  "3": { webdav_upload_mode: "direct" },
  "5": { site_name: "", site_accent: "" },
};

/** A server that keeps settings and refuses some by sentences of its own. */
function server(refused: Readonly<Record<string, string>> = {}) {
  const kept = structuredClone(initial);
  const update = (group: string) => ({
    [`PUT /admin/settings/group/${group}`]: ({ body }: { body: unknown }) => {
      const sent = Object.entries(body as Record<string, string>);
      const errors = sent.flatMap(([key]) => (refused[key] ? [{ key, error: refused[key] }] : []));
      for (const [key, value] of sent) if (!refused[key]) Object.assign(kept[group] ?? {}, { [key]: value });
      const success = errors.length === 0;
      return answer({ code: success ? 200 : 202, success, data: { errors, success } });
    },
  });
  const api = fakeServer({
    "GET /admin/settings": (_seen, url) => {
      const group = url.searchParams.get("group") ?? "";
      const list = Object.entries(kept[group] ?? {});
      return answer({
        data: list.map(([key, value]) => ({ key, value, default_value: initial[group]?.[key], type: "textarea" })),
      });
    },
    ...update("1"),
    ...update("2"),
    ...update("3"),
    ...update("5"),
  });
  return Object.assign(api, {
    sent: () => api.seen.filter(({ line }) => line.startsWith("PUT")).map(({ body }) => body),
  });
}

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

const press = async (user: Awaited<ReturnType<typeof openAt>>["user"], name: string) =>
  user.click(screen.getByRole("button", { name }));

describe("sizes", () => {
  test.each([
    ["10240", "10", "GB"],
    ["1536", "1.5", "GB"],
    ["100", "100", "MB"],
    ["0.5", "512", "KB"],
    ["1025", "1025", "MB"],
    ["1", "1", "MB"],
  ] as const)("%s MB is %s %s, and back", (setting, size, unit) => {
    expect(splitSize(setting)).toEqual({ size, unit });
    expect(joinSize(size, unit)).toBe(setting);
  });
});

describe("global settings", () => {
  test("are shown as people say them, and what differs is sent", async () => {
    await using api = server();
    const { user } = await openAt("/admin/settings/global");
    const size = await screen.findByLabelText<HTMLInputElement>("Largest file");
    expect(size.value).toBe("10");
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "GB" }).checked).toBe(true);
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    await user.clear(size);
    await user.type(size, "500");
    await user.click(screen.getByRole("radio", { name: "MB" }));
    await user.click(screen.getByRole("radio", { name: "Keep both" }));
    await user.click(screen.getByRole("checkbox", { name: "All public addresses must be signed" }));
    await press(user, "Save");
    expect(await screen.findByText("Saved.")).toBeDefined();
    expect(api.sent()).toEqual([
      { max_upload_size: "500", file_naming_strategy: "random_suffix", proxy_sign_all: "false" },
    ]);
    await waitFor(() => expect(screen.queryByRole("button", { name: "Save" })).toBeNull());
    expect(screen.getByLabelText<HTMLInputElement>("Largest file").value).toBe("500");
    expect(document.title).toBe("Global settings · Satchel");
  });

  /** What is entered where, and what the page says before it asks the server. */
  const rows = [
    [
      "Largest file",
      "单个文件最大",
      "0",
      "Enter a number above 0; a very long one is not taken.",
      "请输入大于 0 的数字，位数不要太多。",
    ],
    [
      "Largest file",
      "单个文件最大",
      "much",
      "Enter a number above 0; a very long one is not taken.",
      "请输入大于 0 的数字，位数不要太多。",
    ],
    [
      "All visitors",
      "所有访客",
      "-1",
      "Enter 0 or a larger number; a very long one is not taken.",
      "请输入 0 或更大的数字，位数不要太多。",
    ],
    [
      "Days kept in the trash",
      "保留天数",
      "1.5",
      "Enter a whole number from 0 to 3,650.",
      "请填写 0 到 3,650 之间的整数。",
    ],
    [
      "Signature lifetime (seconds)",
      "签名有效期（秒）",
      "1.5",
      "Enter a whole number from 0 to 315360000.",
      "请输入 0 到 315360000 之间的整数。",
    ],
  ] as const;
  test.each(rows)("refuse %s, %s: %s", async (english, chinese, text, en, zh) => {
    for (const [language, label, button, sentence] of [
      ["en", english, "Save", en],
      ["zh", chinese, "保存", zh],
    ] as const) {
      await using api = server();
      await act(() => setLanguage(language));
      const { user } = await openAt("/admin/settings/global");
      const field = await screen.findByLabelText(label);
      await user.clear(field);
      await user.type(field, text);
      await press(user, button);
      expect(screen.getByText(sentence)).toBeDefined();
      expect(field.getAttribute("aria-invalid")).toBe("true");
      expect(document.activeElement).toBe(field);
      expect(api.sent()).toEqual([]);
      cleanup();
    }
  });

  test("show the server's refusal at its field while the rest holds", async () => {
    await using api = server({ max_upload_size: "Must be at most 5." });
    const { user } = await openAt("/admin/settings/global");
    const size = await screen.findByLabelText("Largest file");
    await user.clear(size);
    await user.type(size, "99");
    await user.click(screen.getByRole("checkbox", { name: "New file shares go through this server" }));
    await press(user, "Save");
    expect(await screen.findByText("Must be at most 5.")).toBeDefined();
    expect(screen.getByText("The rest is saved. Please correct the marked fields.")).toBeDefined();
    expect(api.sent()).toHaveLength(1);
    await user.clear(size);
    await user.type(size, "5");
    expect(screen.queryByText("Must be at most 5.")).toBeNull();
  });

  test("are asked about before they are left, and can be put back", async () => {
    await using _api = server();
    const { user, where } = await openAt("/admin/settings/global");
    const size = await screen.findByLabelText<HTMLInputElement>("Largest file");
    await user.type(size, "0");
    await user.click(screen.getByRole("link", { name: "WebDAV" }));
    const question = within(await screen.findByRole("dialog", { name: "Discard your changes?" }));
    await user.click(question.getByRole("button", { name: "Keep editing" }));
    expect(where.path).toBe("/admin/settings/global");
    await press(user, "Discard");
    expect(size.value).toBe("10");
    await user.click(screen.getByRole("link", { name: "WebDAV" }));
    await waitFor(() => expect(where.path).toBe("/admin/settings/webdav"));
  });
});

describe("preview settings", () => {
  const row = (name: string) => within(screen.getByRole("row", { name: new RegExp(`^${name}`) }));

  test("take endings as people write them, and give each its own way out", async () => {
    await using api = server();
    const { user } = await openAt("/admin/settings/preview");
    await screen.findByText("Images");
    await user.click(row("Images").getByRole("button", { name: "Remove x" }));
    await user.type(row("Images").getByLabelText("Add an extension: Images"), ".PNG{Enter}jpg png webp,");
    await press(user, "Save");
    await waitFor(() => expect(api.sent()).toEqual([{ preview_image_types: "image,png,jpg,webp" }]));
  });

  test("refuse endings that are none", async () => {
    await using api = server();
    const { user } = await openAt("/admin/settings/preview");
    await screen.findByText("Video");
    await user.type(row("Video").getByLabelText("Add an extension: Video"), "m*4{Enter}");
    expect(screen.getByText("Letters and digits only, separated by commas.")).toBeDefined();
    await act(() => setLanguage("zh"));
    expect(await screen.findByText("只能是字母和数字，用逗号分隔。")).toBeDefined();
    expect(api.sent()).toEqual([]);
    expect(screen.queryByRole("button", { name: "保存" })).toBeNull();
  });

  test("go back to what they were at first, row by row", async () => {
    await using api = server();
    const { user } = await openAt("/admin/settings/preview");
    await screen.findByText("Audio");
    expect(screen.queryByRole("button", { name: /^Reset to default/ })).toBeNull();
    await user.type(row("Audio").getByLabelText("Add an extension: Audio"), "mid{Enter}");
    await press(user, "Save");
    expect(await screen.findByText("Saved.")).toBeDefined();
    await user.click(row("Audio").getByRole("button", { name: "Reset to default: Audio" }));
    await press(user, "Save");
    await waitFor(() => expect(api.sent().at(-1)).toEqual({ preview_audio_types: "audio,x" }));
  });
});

describe("WebDAV settings", () => {
  test("say where it is and how to connect from each system, and choose how it writes", async () => {
    await using api = server();
    const { user } = await openAt("/admin/settings/webdav");
    expect(await screen.findByText(`${api.base}/dav`)).toBeDefined();
    const steps = {
      Windows: /Map network drive/,
      macOS: /Connect to Server/,
      Linux: /Other Locations/,
      "iOS / Android": /speaks WebDAV/,
    };
    for (const [system, step] of Object.entries(steps)) {
      await user.click(screen.getByRole("radio", { name: system }));
      expect(screen.getByText(step)).toBeDefined();
    }
    await user.click(screen.getByRole("radio", { name: /^In parts/ }));
    await press(user, "Save");
    await waitFor(() => expect(api.sent()).toEqual([{ webdav_upload_mode: "multipart" }]));
  });
});

describe("the accent", () => {
  /** The colours of each sample: background and words of its button, and of its link. */
  const samples = () =>
    screen
      .getAllByRole("figure")
      .map((sample) =>
        [...sample.querySelectorAll<HTMLElement>("div > span")].flatMap(({ style }) => [style.background, style.color]),
      );
  const shadesIn = (style: string) =>
    [/:root:root\{([^}]*)\}/, /data-theme="dark"\]\{([^}]*)\}/].map((pattern) => {
      const variables =
        pattern
          .exec(style)?.[1]
          ?.split(";")
          .map((one) => one.split(":")[1] ?? "") ?? [];
      const [accent, , text, soft] = variables;
      return [accent, text, soft, accent];
    });

  test("is shown as each theme has it: ours by the style sheet, a chosen one by what the server makes of it", async () => {
    await using _api = server();
    const { user } = await openAt("/admin/settings/site");
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Color" });
    const { light, dark } = ourAccent;
    const ours = [light, dark].map(({ accent, text, soft }) => [accent, text, soft, accent]);
    expect(samples()).toEqual(ours);
    expect(screen.queryByText(/Shown as/)).toBeNull();
    await user.type(field, "#1d4ed8");
    expect(samples()).toEqual(shadesIn(accentStyle("#1d4ed8")) as string[][]);
    await user.clear(field);
    expect(samples()).toEqual(ours);
    await user.type(field, "#c2410c");
    expect(samples()).toEqual(shadesIn(accentStyle("#c2410c")) as string[][]);
  });
});
