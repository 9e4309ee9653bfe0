import { useNavigate } from "react-router-dom";
import type { Rights } from "../../api/session/rights.ts";
import { useSession } from "../../api/session/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { anotherWayTo } from "../../page/return-to.ts";
import { Button } from "../button.tsx";
import { useSignOut } from "./sign-out.tsx";

/** What the key is called that somebody has signed in with. */
export function useKeyName(): string {
  const session = useSession();
  return session.authType === "apikey" ? session.name : "";
}

interface OtherSignInProps {
  readonly rights: Rights;
  /** The address that the sign-in leads back to. */
  readonly back: string;
}

/** The way to another sign-in for a key to which no page of the admin area is open; others find it there. */
export function OtherSignIn({ rights, back }: OtherSignInProps) {
  useLanguage();
  const navigate = useNavigate();
  const { press, question } = useSignOut(() => navigate("/admin", { state: anotherWayTo(back) }));
  if (rights.may("text") || rights.may("file_share")) return null;
  return (
    <>
      <Button onClick={press} className="max-sm:w-full">
        {t("paste.home.otherSignIn")}
      </Button>
      {question}
    </>
  );
}
