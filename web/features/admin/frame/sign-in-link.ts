import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { isFailure } from "../../../api/failure.ts";
import { session } from "../../../api/session/session.ts";
import { signIn } from "../../../api/session/sign-in.ts";
import { t } from "../../../i18n/i18n.ts";
import { toast } from "../../../ui/toast/toast.ts";
import { toastFailure } from "../../../ui/toast/toast-failure.ts";
import { signInMethod } from "../login/sign-in-method.ts";

const shape = /^#setup=(.+)$/;

/**
 * Signs in with the one-time token of /admin#setup=<token> and goes Home. The token is removed from the address at
 * once: history and screenshots keep addresses.
 */
export function useSignInLink(): "none" | "opening" | "dead" {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [state, setState] = useState<"none" | "opening" | "dead">(() => (shape.test(hash) ? "opening" : "none"));

  useEffect(() => {
    // The router's own hash is the one from before; asked twice (as React does in development), the second finds nothing.
    const token = shape.exec(window.location.hash)?.[1];
    if (!shape.test(hash) || !token) return;
    window.history.replaceState(window.history.state, "", window.location.pathname);
    setState("opening");
    const open = async () => {
      try {
        await signIn.withLink(decodeURIComponent(token));
        navigate("/", { replace: true, state: { notice: "signedIn" } });
      } catch (error) {
        const isDead = isFailure(error, "signInLink.invalid");
        setState(isDead ? "dead" : "none");
        // Such links are the administrator's.
        signInMethod.set("password");
        // The router's address has the token still, and whoever is signed in goes where they would have without it.
        navigate("/admin", { replace: true });
        if (!isDead) await toastFailure(error);
        // The card says so; whoever is signed in is not shown it.
        else if (session.state.get().authType !== "none")
          await toast({ tone: "error", text: t("admin.login.setupDeadHere") });
      }
    };
    void open();
  }, [hash, navigate]);

  return state;
}
