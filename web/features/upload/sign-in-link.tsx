import { useNavigate } from "react-router-dom";
import type { Rights } from "../../api/rights.ts";
import { useSession } from "../../api/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { anotherWayTo, backTo } from "../../lib/return-to.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { useSignOut } from "../../ui/sign-out.tsx";

const back = backTo("/upload");

/** What the key is called that somebody has signed in with. */
export function useKeyName(): string {
  const present = useSession();
  return present.authType === "apikey" ? present.name : "";
}

/** The way to the sign-in, and back here. */
export function SignInLink() {
  useLanguage();
  return (
    <ButtonLink to="/admin" state={back} variant="primary" className="max-sm:w-full">
      {t("upload.bar.signIn")}
    </ButtonLink>
  );
}

/** The way to another sign-in for a key to which no page of the admin area is open; others find it there. */
export function OtherSignIn({ rights }: { readonly rights: Rights }) {
  useLanguage();
  const navigate = useNavigate();
  const { press, question } = useSignOut(() => navigate("/admin", { state: anotherWayTo("/upload") }));
  if (rights.may("text")) return null;
  return (
    <>
      <Button onClick={press} className="max-sm:w-full">
        {t("paste.home.otherSignIn")}
      </Button>
      {question}
    </>
  );
}
