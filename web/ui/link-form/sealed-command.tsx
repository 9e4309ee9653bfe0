import type { LinkRecord } from "#contract/links";
import { serverAddress } from "../../api/share-addresses.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Fact, Facts } from "../connect/facts.tsx";

export interface SealedCommandProps {
  readonly link: Pick<LinkRecord, "slug" | "has_password" | "ask_name">;
  readonly recipient: string;
}

/** How a terminal sends a file sealed. curl asks for the password when it has only a name. */
export function SealedCommand({ link: { slug, has_password, ask_name }, recipient }: SealedCommandProps) {
  useLanguage();
  const login = has_password ? ` -u ${slug}` : "";
  const sender = ask_name ? " -H 'X-Share-Sender: NAME'" : "";
  const address = `${serverAddress()}/in/${encodeURIComponent(slug)}/FILE.age`;
  return (
    <Facts>
      <Fact
        name={t("link.sealed.terminal")}
        text={`age -r ${recipient} FILE | curl -T -${login}${sender} '${address}'`}
      />
    </Facts>
  );
}
