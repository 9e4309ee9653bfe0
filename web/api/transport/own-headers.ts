import { i18n } from "../../i18n/i18n.ts";
import { authorizationOf, credential, type Sender } from "../session/credential.ts";

/** The headers of a request that is no call: who asks, the current session unless said, and in which language they read. */
export function ownHeaders(sender: Sender = credential.state.get()): Headers {
  const headers = new Headers({ "accept-language": i18n.language.get() });
  const carried = authorizationOf(sender);
  if (carried) headers.set("authorization", carried);
  return headers;
}
