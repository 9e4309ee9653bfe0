import { endpoint } from "./endpoint.ts";
import type { FailureCode } from "./failures.ts";
import { done, nameField, queryNumber } from "./fields.ts";
import { languageCodes } from "./languages.ts";
import {
  DELIVERIES_PAGE,
  MAX_PAGE,
  MAX_WEBHOOK_ADDRESS_CHARACTERS,
  MAX_WEBHOOK_NAME_CHARACTERS,
  MAX_WEBHOOK_TOKEN_CHARACTERS,
  MAX_WEBHOOKS,
  WEBHOOK_SECRET_KEPT_HOURS,
} from "./limits.ts";
import * as z from "./schemas.ts";

/** Webhooks: where the server tells of what happens, by Standard Webhooks 1.0, to chat services and by mail. */

/** What a webhook can be told of. */
export const webhookEvents = [
  "share.opened",
  "share.spent",
  "file.arrived",
  "link.closed",
  "upload.failed",
  "backup.failed",
  "storage.full",
  "sign_in.new",
  "job.failed",
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

interface SharedItem {
  readonly kind: "paste" | "file";
  readonly id: string;
  readonly slug: string;
  /** Of a file; null for a text. */
  readonly name: string | null;
}

/** What is told of one happening of each event. Never a password, a grant, or what a share holds. */
interface EventItems {
  /** Openings since this share was told of last. */
  readonly "share.opened": SharedItem & { readonly openings: number };
  /** Its last view is used up. */
  readonly "share.spent": SharedItem;
  /** Somebody has sent a file by an inbound link. */
  readonly "file.arrived": { readonly link: string; readonly name: string; readonly size: number };
  readonly "link.closed": { readonly link: string; readonly reason: string };
  /** The server or the storage could not take a file; what a sender does wrong is no failure of this kind. */
  readonly "upload.failed": { readonly storage: string; readonly key: string; readonly reason: FailureCode };
  /** Why stands on the page of backups: it may name folders of the server. */
  readonly "backup.failed": { readonly started_at: string; readonly by: "timetable" | "admin" };
  readonly "storage.full": { readonly storage: string; readonly name: string; readonly percent: number };
  /** An address from which the administrator had not signed in before; of IPv6 the network. */
  readonly "sign_in.new": { readonly address: string };
  readonly "job.failed": { readonly job: string; readonly owner: string; readonly reason: FailureCode | null };
}

export type EventItem<Event extends WebhookEvent> = EventItems[Event];

/** One happening. */
export type Happening = {
  readonly [Event in WebhookEvent]: { readonly type: Event; readonly item: EventItem<Event> };
}[WebhookEvent];

/** To whom a webhook speaks, which decides the form of its body. */
export const webhookKinds = ["standard", "ntfy", "discord", "slack", "gotify", "mail"] as const;

export type WebhookKind = (typeof webhookKinds)[number];

/** Kinds that take a token beside their address. */
export const takesToken = (kind: WebhookKind): kind is "ntfy" | "gotify" => kind === "ntfy" || kind === "gotify";

/** Why a delivery did not arrive. */
const deliveryProblems = [
  /** Its address leads to where this server does not connect. */
  "forbidden",
  "unreachable",
  "late",
  /** It answered with a redirect, which is not followed. */
  "redirect",
  /** It answered with another status than 2xx. */
  "status",
  /** It refused, and its clock differs by more than signatures may be old. */
  "clock",
  /** 410: it wants nothing any more. */
  "gone",
  /** The mail server refused the message, or is none. */
  "mail",
  /** No connection to the mail server. */
  "mailAway",
  "mailLate",
  /** No TLS with the mail server: its certificate, or the scheme or port of SMTP_URL, is wrong. */
  "mailTls",
  /** The mail server wants an account, or another user name or password. */
  "mailAccount",
  /** The mail server does not send for SMTP_FROM. */
  "mailSender",
  /** The mail server does not take mail for the address. */
  "mailAddress",
  /** No mail server is configured. */
  "noMail",
  /** The webhook was switched off before it was delivered. */
  "off",
  /** It waited too long. */
  "old",
] as const;

export type DeliveryProblem = (typeof deliveryProblems)[number];

const eventsField = z.array(z.enum(webhookEvents)).check(z.minLength(1), z.maxLength(webhookEvents.length));
const PRINTABLE = /^[!-~]*$/;
/** A URL, or an address of mail. */
const addressField = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(MAX_WEBHOOK_ADDRESS_CHARACTERS),
  z.refine((text) => PRINTABLE.test(text)),
);
/** Printable ASCII, as it goes into a header. */
const tokenField = z.string().check(
  z.maxLength(MAX_WEBHOOK_TOKEN_CHARACTERS),
  z.refine((text) => PRINTABLE.test(text)),
);

const newWebhook = z.object({
  name: nameField(MAX_WEBHOOK_NAME_CHARACTERS),
  kind: z.enum(webhookKinds),
  /** A URL of http or https; for mail the address of whom it goes to. */
  address: addressField,
  /** Of ntfy and Gotify. */
  token: z._default(tokenField, ""),
  events: eventsField,
  /** Of the sentences that people read. */
  language: z._default(z.enum(languageCodes), "en"),
  enabled: z._default(z.boolean(), true),
});

/** What is not sent stays as it is; an empty token takes it away, and so does an address on another server without a token. */
const webhookChange = z.object({
  name: z.optional(nameField(MAX_WEBHOOK_NAME_CHARACTERS)),
  address: z.optional(addressField),
  token: z.optional(tokenField),
  events: z.optional(eventsField),
  language: z.optional(z.enum(languageCodes)),
  enabled: z.optional(z.boolean()),
});

const webhookRecord = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(webhookKinds),
  /** The host of its address, or the address of mail. A whole URL may be a credential, and is never shown again. */
  host: z.string(),
  has_token: z.boolean(),
  events: z.array(z.enum(webhookEvents)),
  language: z.enum(languageCodes),
  enabled: z.boolean(),
  /** Why the server has switched it off: nothing arrived until the last try, or it answered 410; null while it is on, or somebody switched it off. */
  disabled_reason: z.nullable(z.enum(["failed", "gone"])),
  disabled_at: z.nullable(z.string()),
  /** Deliveries that wait, and events that were left out because too many did. */
  waiting: z.int(),
  dropped: z.int(),
  last_success_at: z.nullable(z.string()),
  /** Until when the secret before the last rotation signs too. */
  old_secret_until: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});

/** Shown once: `whsec_` and 32 random bytes in base64; null where nothing is signed. */
const withSecret = z.object({ data: z.extend(webhookRecord, { secret: z.nullable(z.string()) }) });

const delivery = z.object({
  /** The header webhook-id, the same for every try. */
  id: z.string(),
  /** An event, or `test`. */
  event: z.string(),
  at: z.string(),
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.int(),
  /** When it is tried next; null once it has ended. */
  next_at: z.nullable(z.string()),
  ended_at: z.nullable(z.string()),
  /** The status that was answered last; null where none was. */
  status: z.nullable(z.int()),
  problem: z.nullable(z.enum(deliveryProblems)),
  /** Seconds that the receiver's clock is ahead, where that is the problem. */
  clock_ahead: z.nullable(z.int()),
});

const idParam = z.object({ id: z.string().check(z.maxLength(64)) });

export const webhooks = {
  list: endpoint({
    method: "GET",
    path: "/admin/webhooks",
    access: "admin",
    summary: "Webhooks by their names, and whether a mail server is configured (SMTP_URL)",
    response: z.object({ data: z.object({ webhooks: z.array(webhookRecord), mail: z.boolean() }) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/webhooks",
    access: "admin",
    audit: "webhook.create",
    summary: `Make a webhook, ${MAX_WEBHOOKS} at most. The secret of kind standard is in this answer and in none after it`,
    body: newWebhook,
    status: 201,
    response: withSecret,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/webhooks/:id",
    access: "admin",
    audit: "webhook.update",
    summary:
      "Change a webhook; what is not sent stays as it is. Switched on again it begins with what happens from then on",
    params: idParam,
    body: webhookChange,
    response: z.object({ data: webhookRecord }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/webhooks/:id",
    access: "admin",
    audit: "webhook.delete",
    summary: "Delete a webhook with what waits for it",
    params: idParam,
    response: done,
  }),
  test: endpoint({
    method: "POST",
    path: "/admin/webhooks/:id/test",
    access: "admin",
    audit: "webhook.test",
    summary: "Deliver an event `test` at once, once, also while the webhook is off, and say what became of it",
    params: idParam,
    response: z.object({ data: delivery }),
  }),
  rotate: endpoint({
    method: "POST",
    path: "/admin/webhooks/:id/secret",
    access: "admin",
    audit: "webhook.rotate",
    summary: `Make a new secret; for ${WEBHOOK_SECRET_KEPT_HOURS} hours both sign`,
    params: idParam,
    response: withSecret,
  }),
  deliveries: endpoint({
    method: "GET",
    path: "/admin/webhooks/:id/deliveries",
    access: "admin",
    summary: "Deliveries of a webhook, those that wait too, newest first",
    params: idParam,
    query: z.object({
      limit: z._default(queryNumber(1, MAX_PAGE), DELIVERIES_PAGE),
      offset: z._default(queryNumber(0, Number.MAX_SAFE_INTEGER), 0),
    }),
    response: z.object({ data: z.array(delivery), pagination: z.object({ hasMore: z.boolean() }) }),
  }),
};

export type NewWebhook = z.output<typeof newWebhook>;
export type WebhookChange = z.output<typeof webhookChange>;
export type WebhookRecord = z.output<typeof webhookRecord>;
export type DeliveryRecord = z.output<typeof delivery>;
