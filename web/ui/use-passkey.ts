import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { NewSealedKey as KeptKey } from "#contract/sealed-keys";
import { failureText } from "../api/failure.ts";
import { t } from "../i18n/i18n.ts";
import { appUpdate } from "../page/app-update.ts";

const load = () => appUpdate.arrival(() => import("../sealed/passkeys.ts"));

type Passkeys = Awaited<ReturnType<typeof load>>;

/**
 * Asks a passkey, one thing at a time: the answer is undefined where that has failed, and `problem` says why. `able` is undefined until it is
 * known whether this browser has passkeys that encrypt.
 */
export function usePasskey() {
  // The code is there before somebody presses: browsers ask only soon after that.
  const { data: able } = useQuery({
    queryKey: ["sealed", "passkeys"],
    queryFn: async () => (await load()).hasPasskeys(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const ask = async <Answer>(act: (passkeys: Passkeys) => Promise<Answer>): Promise<Answer | undefined> => {
    setBusy(true);
    setProblem(undefined);
    try {
      return await act(await load());
    } catch (error) {
      setProblem(await sentenceOf(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  /** One that was made before something failed: nobody needs two. */
  const made = useRef<string>(undefined);
  return {
    able,
    busy,
    problem,

    /** Answers the secret key that a passkey opens. */
    open: (kept: KeptKey) => ask(({ openWithPasskey }) => openWithPasskey(kept)),

    /** Makes a passkey of this name, seals a secret key to it, and has it kept. */
    seal: <Kept>(identity: string, name: string, keep: (sealed: Omit<KeptKey, "recipient">) => Promise<Kept>) =>
      ask(async ({ newPasskey, sealToPasskey }) => {
        made.current ??= await newPasskey(name);
        return await keep({ passkey: made.current, sealed: await sealToPasskey(identity, made.current) });
      }),
  };
}

async function sentenceOf(error: unknown): Promise<string> {
  const { PasskeyFailure } = await load();
  return error instanceof PasskeyFailure ? t(`link.sealed.passkey.${error.code}`) : failureText(error);
}
