import type { Language } from "#contract/languages";
import {
  type NewWebhook,
  takesToken,
  type WebhookEvent,
  type WebhookKind,
  type WebhookRecord,
} from "#contract/webhooks";
import { problemsOf } from "../../../../ui/form/fields.ts";
import type { Problems, ResourceFields } from "../../resource/form-fields.tsx";

/** A webhook as its form has it. */
interface WebhookValues {
  readonly name: string;
  readonly kind: WebhookKind;
  /** Empty leaves the address of one that is there as it is; so does an empty token. */
  readonly address: string;
  readonly token: string;
  readonly events: readonly WebhookEvent[];
  readonly language: Language;
}

/** What the fields need of the form. */
export type FieldsProps = ResourceFields<WebhookValues>;

/** What should not go unnoticed. */
const usual: readonly WebhookEvent[] = ["upload.failed", "backup.failed", "storage.full", "sign_in.new", "job.failed"];

/** A new webhook before anything was filled in. */
export const emptyWebhook = (language: Language): WebhookValues => ({
  ...{ name: "", kind: "standard", address: "", token: "", language },
  events: usual,
});

/** A webhook that is there. */
export const webhookValues = ({ name, kind, events, language }: WebhookRecord): WebhookValues => ({
  ...{ name, kind, address: "", token: "", events, language },
});

/** The webhook that the form describes. */
export const newWebhook = ({ name, kind, address, token, events, language }: WebhookValues): NewWebhook => ({
  ...{ name: name.trim(), kind, address: address.trim(), language, enabled: true },
  token: takesToken(kind) ? token.trim() : "",
  events: events as WebhookEvent[],
});

/** What the browser can tell is wrong before it asks the server. */
export function webhookProblems(
  { name, kind, address, events }: WebhookValues,
  isNew: boolean,
): Problems<WebhookValues> {
  const typed = address.trim();
  const isWrong = kind === "mail" ? !typed.includes("@") : !/^https?:\/\/[^/]/i.test(typed);
  return problemsOf<Problems<WebhookValues>>({
    name: name.trim() === "" && "admin.webhooks.problem.name",
    address:
      (isNew || typed !== "") &&
      isWrong &&
      (kind === "mail" ? "admin.webhooks.problem.mail" : "admin.webhooks.problem.address"),
    events: events.length === 0 && "admin.webhooks.problem.events",
  });
}
