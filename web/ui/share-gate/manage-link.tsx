import { useLocation, useParams } from "react-router-dom";
import { useSession } from "../../api/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { ButtonLink } from "../button.tsx";

/** The list in the admin area that has a share, by where its page is. */
const lists: Readonly<Record<string, string | undefined>> = {
  paste: "text-management",
  file: "file-management",
  s: "link-management",
  in: "link-management",
};

/** Leads the administrator to the share in its list, where it is read and changed without spending a view; nothing for anybody else. */
export function ManageLink() {
  useLanguage();
  const { slug = "" } = useParams();
  const list = lists[useLocation().pathname.split("/")[1] ?? ""];
  const { authType } = useSession();
  if (authType !== "admin" || list === undefined) return null;
  return <ButtonLink to={`/admin/${list}?search=${encodeURIComponent(slug)}`}>{t("share.gate.manage")}</ButtonLink>;
}
