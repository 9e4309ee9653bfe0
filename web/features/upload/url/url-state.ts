import { MULTIPART_FROM } from "#contract/limits";
import { isFilename } from "#contract/paths";
import { type SourceFile, urlUploads } from "#contract/url-uploads";
import type { Call } from "../../../api/call.ts";
import { fileLink } from "../../../api/share-addresses.ts";
import { createStore } from "../../../lib/store.ts";
import type { UrlToStorage } from "../../../transfer/from-url/to-storage.ts";
import type { UrlMethod, UrlTask, UrlUpload } from "../../../transfer/from-url/upload.ts";
import { chipRefusal, noPlace, placedOptions, wrongChip } from "../state/chips.ts";
import { createOptionsState } from "../state/options-state.ts";
import type { Outcome } from "../state/upload-state.ts";

interface UrlStatePorts {
  readonly machine: UrlToStorage;
  readonly call: Call;
  /** Puts a text on the clipboard; false when that is refused. */
  readonly copy: (text: string) => Promise<boolean>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly window: Pick<Window, "addEventListener" | "removeEventListener">;
}

/** What has come of an address. */
export type Analysis =
  | { readonly kind: "none" }
  | { readonly kind: "invalid" }
  | { readonly kind: "asking" }
  | { readonly kind: "failed"; readonly failure: unknown }
  | { readonly kind: "found"; readonly source: SourceFile };

const nothing: Analysis = { kind: "none" };

/** Reports whether a text is the address of something on the web. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(text.trim());
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** Makes the question what an address leads to, and how its file is to be shared. */
function createAnalysis(call: Call) {
  const address = createStore("");
  const analysis = createStore<Analysis>(nothing);
  const name = createStore("");
  const method = createStore<UrlMethod>("presigned");
  let question = new AbortController();

  return {
    address,
    analysis,
    name,
    method,
    reset() {
      question.abort();
      analysis.set(nothing);
      address.set("");
      name.set("");
    },
    /** Another address: what was found belongs to the one before. */
    type(text: string): void {
      address.set(text);
      question.abort();
      analysis.set(nothing);
    },
    /** Asks the server what the address leads to. Only now anybody learns of it. */
    async ask(): Promise<void> {
      const url = address.get().trim();
      question.abort();
      question = new AbortController();
      const { signal } = question;
      if (!isWebAddress(url)) return analysis.set({ kind: "invalid" });
      analysis.set({ kind: "asking" });
      try {
        const { data } = await call(urlUploads.info, { body: { url }, signal });
        if (signal.aborted) return;
        name.set(data.filename);
        method.set((data.size ?? 0) >= MULTIPART_FROM ? "multipart" : "presigned");
        analysis.set({ kind: "found", source: data });
      } catch (failure) {
        if (!signal.aborted) analysis.set({ kind: "failed", failure });
      }
    },
  };
}

/** The state of the tab for files on the web; it outlives the page within the app until the person signs out. */
export function createUrlState({ machine, call, copy, now, window }: UrlStatePorts) {
  const optionsState = createOptionsState();
  const { ask, ...source } = createAnalysis(call);
  const { analysis, name, method, reset } = source;
  const outcome = createStore<Outcome | undefined>(undefined);
  let attended = false;
  let stage: UrlUpload["stage"] | undefined;

  const finish = async (result: Outcome["file"]) => {
    optionsState.startOver();
    reset();
    // Elsewhere somebody may have copied something else meanwhile.
    if (!attended) return;
    const copied = await copy(fileLink(result.slug));
    if (attended) outcome.set({ file: result, copied });
  };

  const stay = (event: BeforeUnloadEvent) => event.preventDefault();
  machine.state.subscribe(() => {
    const upload = machine.state.get();
    if (machine.isBusy()) window.addEventListener("beforeunload", stay);
    else window.removeEventListener("beforeunload", stay);
    if (upload?.stage === stage) return;
    stage = upload?.stage;
    const refusal = stage === "failed" ? chipRefusal(upload?.failure) : undefined;
    if (refusal) optionsState.refuse(refusal);
    if (stage === "completed" && upload?.result) void finish(upload.result);
  });

  /** What the machine is asked for; undefined when an option or the name is wrong, which is shown. */
  const wanted = (most: number | undefined): Omit<UrlTask, "source"> | undefined => {
    const [options, place] = [optionsState.options.get(), optionsState.place.get()];
    const wrong = wrongChip(options, place, now());
    if (wrong) optionsState.openChip.set(wrong);
    if (wrong || !isFilename(name.get())) return undefined;
    return { name: name.get(), method: method.get(), options: placedOptions(options, place, now()), most };
  };

  return {
    machine,
    optionsState,
    ...source,
    outcome,
    /** Asks what the address leads to, and puts away what came of the one before. */
    async analyze(): Promise<void> {
      machine.clear();
      outcome.set(undefined);
      await ask();
    },
    /** Brings what was found into a share, or tries again what failed, with what is chosen now. */
    press(most: number | undefined): void {
      const found = analysis.get();
      const task = found.kind === "found" && wanted(most);
      if (found.kind !== "found" || !task) return;
      outcome.set(undefined);
      if (machine.state.get()?.stage === "failed") machine.retry(task);
      else machine.start({ ...task, source: found.source });
      optionsState.sent();
    },
    /** The person has signed out. Never rejects. */
    async forget(by: Call): Promise<void> {
      reset();
      outcome.set(undefined);
      optionsState.startOver();
      optionsState.goTo(noPlace);
      await machine.forget(by);
    },
    /** The page is shown, until the answered function is called. */
    attend(): () => void {
      attended = true;
      return () => {
        attended = false;
        outcome.set(undefined);
      };
    },
  };
}

export type UrlState = ReturnType<typeof createUrlState>;
