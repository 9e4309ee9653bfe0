import { expect, test } from "bun:test";
import { languageCodes } from "#contract/languages";
import { type WebhookKind, webhookEvents } from "#contract/webhooks";
import { requestFor } from "../../../src/webhooks/bodies.ts";
import { sentenceOf, type Told } from "../../../src/webhooks/words.ts";

/** What each kind of receiver is sent. */

const told: Told = {
  type: "share.opened",
  timestamp: "2030-01-02T03:04:05.678Z",
  data: {
    items: [
      { kind: "file", id: "f1", slug: "abc", name: "<!channel> @everyone [a](http://b) **x** & <b>.txt", openings: 2 },
      { kind: "paste", id: "p1", slug: "t1", name: null, openings: 1 },
    ],
    more: 3,
  },
};

function sent(kind: Exclude<WebhookKind, "mail">, address: string, token = "", language: "en" | "zh" = "en") {
  const { url, headers, body } = requestFor(kind, { text: JSON.stringify(told), told }, { address, token, language });
  return { url, headers, body: JSON.parse(body) as Record<string, unknown> };
}

test("ntfy gets JSON at its root, with the topic and the token", () => {
  const { url, headers, body } = sent("ntfy", "https://ntfy.example/base/my-topic", "tk_secret", "zh");
  expect([url, headers.authorization]).toEqual(["https://ntfy.example/base/", "Bearer tk_secret"]);
  expect(body).toMatchObject({ topic: "my-topic", title: "分享被打开", priority: 3 });
  expect(String(body.message)).toEndWith("文本 t1：被打开\n另有 3 项");
});

test("Discord mentions nobody and draws nothing that a name says", () => {
  const { url, body } = sent("discord", "https://discord.com/api/webhooks/1/token");
  expect(url).toBe("https://discord.com/api/webhooks/1/token");
  expect(body.allowed_mentions).toEqual({ parse: [] });
  const content = String(body.content);
  expect(content).toStartWith(
    "**A share was opened**\nFile \\<!channel\\> \\@everyone \\[a\\]\\(http\\://b\\) \\*\\*x\\*\\*",
  );
  expect(content).toContain("opened 2 times");
});

test("Slack gets no markup of its own", () => {
  const { body } = sent("slack", "https://hooks.slack.com/services/T/B/x");
  expect(body).toMatchObject({ mrkdwn: false });
  expect(String(body.text)).toContain("&lt;!channel&gt; @everyone");
  expect(String(body.text)).not.toContain("<!channel>");
});

test("Gotify gets its message below whatever address it has", () => {
  for (const address of ["https://gotify.example/g", "https://gotify.example/g/", "https://gotify.example/g/message"]) {
    const { url, headers, body } = sent("gotify", address, "A.token");
    expect([url, headers["x-gotify-key"]]).toEqual(["https://gotify.example/g/message", "A.token"]);
    expect(body).toMatchObject({ title: "A share was opened", priority: 4 });
  }
});

test("no message is longer than its receiver takes", () => {
  const items = Array.from({ length: 20 }, (_, n) => ({
    kind: "file",
    id: `f${n}`,
    slug: `s${n}`,
    name: "*".repeat(120),
    openings: 1,
  }));
  const long: Told = { ...told, data: { items, more: 0 } };
  const to = { address: "https://a.example/t", token: "", language: "en" } as const;
  const { body } = requestFor("discord", { text: "", told: long }, to);
  expect((JSON.parse(body) as { content: string }).content.length).toBeLessThanOrEqual(2000);
});

test("each event has a title and a line in each language, without a gap that nothing fills", () => {
  const item = {
    ...{
      kind: "file",
      id: "i",
      slug: "slug",
      name: "name",
      openings: 2,
      link: "link",
      size: 1,
      storage: "s",
      key: "key",
    },
    ...{
      reason: "storage.unreachable",
      started_at: "then",
      by: "admin",
      percent: 96,
      address: "192.0.2.1",
      job: "j",
      owner: "o",
    },
  };
  for (const language of languageCodes)
    for (const type of webhookEvents) {
      const { title, text } = sentenceOf({ ...told, type, data: { items: [item], more: 0 } }, language);
      expect(title.length).toBeGreaterThan(3);
      expect(text).not.toMatch(/[{}]|undefined|storage\.unreachable/);
    }
});
