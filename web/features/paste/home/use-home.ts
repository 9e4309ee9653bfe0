import { useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { useRights } from "../../../api/session/rights.ts";
import { t } from "../../../i18n/i18n.ts";
import { isLongerThan } from "../../../lib/bytes.ts";
import { useStore } from "../../../lib/store.ts";
import { backTo } from "../../../page/return-to.ts";
import { sealing } from "../../../page/sealing.ts";
import { type OptionProblem, optionProblem, type ShareOptions } from "../../../ui/share-options/options.ts";
import { useSealed } from "../../../ui/share-options/sealing.tsx";
import { useCreation } from "./use-creation.ts";
import { useImport } from "./use-import.ts";
import { useMode } from "./use-mode.ts";
import { writing } from "./writing.ts";

type Field = OptionProblem["field"];

/** The state of the home page: the text and its draft, the options, and the new share. */
export function useHome() {
  const rights = useRights();
  const navigate = useNavigate();
  const { text, options, persistFailed } = useWriting();
  const { mode, kind, choose } = useMode();
  const [openChip, setOpenChip] = useState<Field>();
  /** Somebody asked for a link that cannot be: now it is said why. */
  const [refused, setRefused] = useState(false);
  const creation = useCreation();
  const sealed = useSealed();

  const write = (next: string) => {
    writing.write(next);
    setRefused(false);
    imported.forgive();
  };
  const imported = useImport(write);
  const decide = (next: ShareOptions) => {
    writing.options.set(next);
    creation.forgive();
  };
  const create = async () => {
    // From the store: a key may have come since the last render.
    const [sent, chosen] = [writing.text.get(), writing.options.get()];
    if (!rights.may("text")) return rights.signedIn ? undefined : navigate("/admin", { state: backTo("/") });
    if (obstacleOf(sent)) return setRefused(true);
    const sealed = rights.may("file_share") && sealing.isOn();
    const wrong = optionProblem(chosen, Date.now(), sealed);
    const plain = mode === "plain";
    const outcome = wrong ? wrong.field : await creation.create({ text: sent, options: chosen, plain, sealed });
    if (outcome === "created" || outcome === "kept") {
      setOpenChip(undefined);
      writing.shared(sent);
    } else if (outcome !== "refused") setOpenChip(outcome);
  };

  const tooLarge = useMemo(() => isTooLarge(text), [text]);
  const obstacle = obstacleOf(text, tooLarge);
  return {
    rights,
    text,
    write,
    mode,
    kind,
    choose,
    imported,
    persistFailed: persistFailed && text !== "",
    options,
    /** Sealed texts are files: undefined for who may share none. */
    sealed: rights.may("file_share") ? sealed : undefined,
    decide,
    openChip,
    setOpenChip,
    problem: creation.problem,
    obstacle,
    said: refused ? obstacle : undefined,
    create,
    creation,
  };
}

const isTooLarge = (text: string): boolean => isLongerThan(text, MAX_CONTENT_BYTES);

/** Why a text cannot be shared. */
function obstacleOf(text: string, tooLarge = isTooLarge(text)): string | undefined {
  if (text.trim() === "") return t("paste.home.empty");
  return tooLarge ? t("paste.home.tooLarge") : undefined;
}

/** The text being written, stored as a draft whenever the page is left. */
function useWriting() {
  useState(() => writing.restore());
  useEffect(() => {
    addEventListener("pagehide", writing.flush);
    return () => {
      removeEventListener("pagehide", writing.flush);
      writing.flush();
    };
  }, []);
  return {
    text: useStore(writing.text),
    options: useStore(writing.options),
    persistFailed: useStore(writing.persistFailed),
  };
}
