import { t, useLanguage } from "../../i18n/i18n.ts";
import { backTo } from "../../page/return-to.ts";
import { ButtonLink } from "../../ui/button.tsx";

const back = backTo("/upload");

/** The way to the sign-in, and back here. */
export function SignInLink() {
  useLanguage();
  return (
    <ButtonLink to="/admin" state={back} variant="primary" className="max-sm:w-full">
      {t("upload.bar.signIn")}
    </ButtonLink>
  );
}
