import type { Language } from "#contract/languages";
import type { WebhookKind } from "#contract/webhooks";
import { sentenceOf, type Told } from "./words.ts";

/** A request before it is signed. */
interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

interface Addressed {
  readonly address: string;
  /** Empty for none. */
  readonly token: string;
  readonly language: Language;
}

interface Delivery {
  /** As it was queued. */
  readonly text: string;
  readonly told: Told;
}

/** Characters of a message that Discord takes, and that the others show whole. */
const LONGEST = { discord: 2000, slack: 3000, ntfy: 3000, gotify: 3000 };

/** Cut by characters and not by halves of them. */
const cut = (text: string, most: number): string => {
  const all = [...text];
  return all.length <= most ? text : `${all.slice(0, most - 1).join("")}…`;
};

/** What Discord's Markdown would make of a name: a link, a mention, a heading. */
const withoutMarkdown = (text: string): string => text.replace(/[\\*_~`|>#[\]()<@:-]/g, "\\$&");

/** Slack reads mentions and links out of these three (api.slack.com, "Escaping text"). */
const withoutSlackMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const json = (body: unknown, url: string, headers: Record<string, string> = {}): Request => ({
  url,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** The server and the topic of an address of ntfy; undefined when it names no topic. */
export function ntfyTopic(address: string): { server: string; topic: string } | undefined {
  const url = new URL(address);
  const [, folder = "", topic = ""] = /^(.*\/)([\w-]{1,64})$/.exec(url.pathname) ?? [];
  return topic === "" ? undefined : { server: url.origin + folder, topic };
}

/** What failed or may be an attack; ntfy and Gotify show it more urgently. */
const urgent = new Set<Told["type"]>(["upload.failed", "backup.failed", "storage.full", "sign_in.new", "job.failed"]);

type MakeRequest = (delivery: Delivery, to: Addressed) => Request;

/** The body that each kind of receiver takes. */
const requests: Readonly<Record<Exclude<WebhookKind, "mail">, MakeRequest>> = {
  standard: ({ text }, { address }) => ({ url: address, headers: { "content-type": "application/json" }, body: text }),

  // As JSON to the server itself, because headers take no Chinese (ntfy, "Publish as JSON").
  ntfy: ({ told }, { address, token, language }) => {
    const { server = address, topic = "" } = ntfyTopic(address) ?? {};
    const { title, text } = sentenceOf(told, language);
    const body = { topic, title, message: cut(text, LONGEST.ntfy), priority: urgent.has(told.type) ? 4 : 3 };
    return json(body, server, token === "" ? {} : { authorization: `Bearer ${token}` });
  },

  discord: ({ told }, { address, language }) => {
    const { title, text } = sentenceOf(told, language);
    const content = cut(`**${withoutMarkdown(title)}**\n${withoutMarkdown(text)}`, LONGEST.discord);
    // A file may be called @everyone. 4 shows no previews of links.
    return json({ content, allowed_mentions: { parse: [] }, flags: 4 }, address);
  },

  slack: ({ told }, { address, language }) => {
    const { title, text } = sentenceOf(told, language);
    return json({ text: withoutSlackMarkup(cut(`${title}\n${text}`, LONGEST.slack)), mrkdwn: false }, address);
  },

  gotify: ({ told }, { address, token, language }) => {
    const { title, text } = sentenceOf(told, language);
    const url = new URL(address);
    if (!url.pathname.endsWith("/message")) url.pathname = `${url.pathname.replace(/\/$/, "")}/message`;
    const body = { title, message: cut(text, LONGEST.gotify), priority: urgent.has(told.type) ? 8 : 4 };
    return json(body, url.href, token === "" ? {} : { "x-gotify-key": token });
  },
};

/** The request that brings an event to a receiver. */
export const requestFor = (kind: Exclude<WebhookKind, "mail">, delivery: Delivery, to: Addressed): Request =>
  requests[kind](delivery, to);
