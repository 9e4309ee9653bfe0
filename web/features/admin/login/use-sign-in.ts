import { useState } from "react";
import { useOneAtATime } from "../../../lib/one-at-a-time.ts";
import { focusNextPage } from "./focus-next-page.ts";

/**
 * Runs one attempt to sign in at a time; `problem` is the failure of the last one. The page navigates by itself after
 * a success.
 */
export function useSignIn() {
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const oneAtATime = useOneAtATime();

  const attempt = async (act: () => Promise<void>, onFailed: () => void) => {
    setBusy(true);
    setProblem(undefined);
    const focusHeading = focusNextPage();
    try {
      await act();
      focusHeading();
    } catch (error) {
      setProblem(error);
      setBusy(false);
      onFailed();
    }
  };

  return {
    problem,
    busy,
    /** Nothing was filled in. */
    miss: () => setProblem("empty"),
    submit: (act: () => Promise<void>, onFailed: () => void) => oneAtATime(() => attempt(act, onFailed)),
  };
}
