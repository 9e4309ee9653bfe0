import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { FailureCode } from "#contract/failures";
import { fs } from "#contract/fs/fs";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { declaredEncoding, decodeText, type EncodingName } from "#contract/text/encodings";
import { call } from "../../../api/call.ts";
import { ApiFailure, failureText, isFailure } from "../../../api/failure.ts";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { t, type WordKey } from "../../../i18n/i18n.ts";
import { pathTo } from "../../../lib/base-path.ts";
import { isLongerThan } from "../../../lib/bytes.ts";

/** A file as it was read. */
interface ReadFile {
  readonly bytes: Uint8Array;
  /** The version that these bytes are, without quotes. */
  readonly etag: string;
  /** The encoding that they are most likely written in. */
  readonly detected: EncodingName;
}

/** Milliseconds in which a file has to come. */
const PATIENCE = 60_000;

/** Fetches a file whole, through the server. Throws ApiFailure. */
async function readFile(path: string, signal?: AbortSignal): Promise<ReadFile> {
  const { grant } = (await call(fs.get, { query: { path }, ...(signal && { signal }) })).data;
  const address = fetchableAddress(
    pathTo(`/api/fs/download?${new URLSearchParams({ path, grant: grant ?? "", inline: "1" })}`),
  );
  const limit = AbortSignal.timeout(PATIENCE);
  try {
    const answer = await fetch(address, {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      cache: "no-store",
    });
    const failure = { code: "unknown", status: answer.status, message: t("shell.failure.unknown") } as const;
    if (!answer.ok) throw new ApiFailure(failure);
    const etag = answer.headers.get("etag")?.replace(/^W\/|"/g, "") ?? "";
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { bytes, etag, detected: declaredEncoding(bytes) ?? (await detect(bytes)) };
  } catch (error) {
    if (isFailure(error)) throw error;
    throw new ApiFailure({ code: "network", status: 0, message: t("editing.file.silent") });
  }
}

/** What detects encodings comes with the first text that needs it. */
async function detect(bytes: Uint8Array): Promise<EncodingName> {
  const { loadEncodingDetector } = await import("../../../preview/text/detect-encoding.ts");
  return (await loadEncodingDetector())(bytes);
}

/** A text as the editor holds it, and what of its form goes back into the file. */
interface Text {
  readonly text: string;
  readonly encoding: EncodingName;
  readonly mark: boolean;
  readonly crlf: boolean;
}

/** The text of a file, in the encoding that is given or most likely. */
function textOf({ bytes, detected }: ReadFile, encoding = detected): Text {
  const text = decodeText(bytes, encoding);
  const crlf = text.includes("\r\n");
  return { text: text.replace(/\r\n?/g, "\n"), encoding, mark: bytes[0] === 0xef && bytes[1] === 0xbb, crlf };
}

/** What is written into the file: in UTF-8, with the line ends and the mark that it had. */
const written = (text: string, { mark, crlf }: Text): string =>
  (mark ? "\ufeff" : "") + (crlf ? text.replaceAll("\n", "\r\n") : text);

interface Reread {
  readonly typed: string;
  /** The text that was typed into, and the same bytes in another encoding. */
  readonly before: string;
  readonly after: string;
}

/** The typed text, in which lines that are still as they were read are read anew; undefined when lines end elsewhere in the other encoding. */
function withTyped({ typed, before, after }: Reread): string | undefined {
  if (typed === before) return after;
  const was = before.split("\n");
  const is = after.split("\n");
  if (was.length !== is.length) return undefined;
  const lines = new Map(was.map((line, at) => [line, is[at] ?? line]));
  return typed
    .split("\n")
    .map((line) => lines.get(line) ?? line)
    .join("\n");
}

const sentences = {
  "content.tooLarge": "editing.file.tooLargeThere",
  "body.tooLarge": "editing.file.tooLargeThere",
  "auth.forbidden": "editing.file.forbidden",
  network: "editing.file.silent",
  timeout: "editing.file.silent",
} as const satisfies { readonly [Code in FailureCode | "network" | "timeout"]?: WordKey };

const isKnown = (code: string): code is keyof typeof sentences => Object.hasOwn(sentences, code);

/** Why a file was not saved. */
interface Refusal {
  readonly error: unknown;
  readonly text: string;
}

/** A failure in the words of this editor, where it has some. */
const refusalOf = (error: unknown): Refusal => ({
  error,
  text: isFailure(error) && isKnown(error.code) ? t(sentences[error.code]) : failureText(error),
});

interface Newer {
  readonly file: ReadFile;
  readonly text: Text;
}

export type TextWork = ReturnType<typeof useTextWork>;

const useReadFile = (path: string) =>
  useQuery({
    queryKey: ["tree", "text", path],
    queryFn: ({ signal }) => readFile(path, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** The text in the editor, and the file that it was read from. */
function useHeldText() {
  const [held, setHeld] = useState<{ readonly file: ReadFile; readonly form: Text; readonly saved: string }>();
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<Refusal>();
  const [done, setDone] = useState(false);

  return {
    held,
    text,
    touched: held !== undefined && text !== held.saved,
    refusal,
    refuse: setRefusal,
    /** The text was saved, and not changed since. */
    done,
    /** Replaces the text by that of a file. */
    take(file: ReadFile) {
      const form = textOf(file);
      setHeld({ file, form, saved: form.text });
      setText(form.text);
      setRefusal(undefined);
    },
    /** The text is what the file now has. */
    saved(file: ReadFile, form: Text) {
      setHeld({ file, form, saved: text });
      setDone(true);
    },
    write(next: string) {
      setText(next);
      setRefusal(undefined);
      setDone(false);
    },
    /** Reads the same bytes in another encoding. Lines that were changed stay as they were typed. */
    readAs(encoding: EncodingName) {
      if (!held) return;
      const form = textOf(held.file, encoding);
      const merged = withTyped({ typed: text, before: held.saved, after: form.text });
      if (merged === undefined)
        return setRefusal({ error: undefined, text: t("editing.file.otherLines", { encoding }) });
      setHeld({ file: held.file, form, saved: form.text });
      setText(merged);
      setRefusal(undefined);
    },
  };
}

/** The life of one file in the editor: read, changed, saved, and saved over by somebody else. */
export function useTextWork(path: string, onSaved: () => void) {
  const read = useReadFile(path);
  const { take, saved, refuse, ...shown } = useHeldText();
  const { held, text } = shown;
  const [busy, setBusy] = useState(false);
  const [newer, setNewer] = useState<Newer>();
  const saving = useRef(false);

  if (read.data && !held) take(read.data);

  const send = async (form: Text, etag: string) => {
    const body = { path, content: written(text, form), etag };
    const { data } = await call(fs.update, { body });
    const bytes = new TextEncoder().encode(body.content);
    saved({ bytes, etag: data.etag, detected: "UTF-8" }, { ...form, encoding: "UTF-8" });
    onSaved();
  };

  /** Somebody else has saved it: what is there now is shown beside what is here. */
  const compare = async () => {
    try {
      const file = await readFile(path);
      const theirs = textOf(file);
      if (theirs.text === text) saved(file, theirs);
      else setNewer({ file, text: theirs });
    } catch (error) {
      refuse(refusalOf(error));
    }
  };

  const save = async () => {
    if (!held || saving.current) return;
    if (isLongerThan(written(text, held.form), MAX_CONTENT_BYTES))
      return refuse({ error: undefined, text: t("editing.file.tooLarge") });
    saving.current = true;
    setBusy(true);
    refuse(undefined);
    try {
      await send(held.form, held.file.etag);
    } catch (error) {
      if (isFailure(error, "path.changed")) await compare();
      else refuse(refusalOf(error));
    } finally {
      saving.current = false;
      setBusy(false);
    }
  };

  return {
    ...shown,
    read,
    busy,
    save,
    newer,
    keepMine: async () => {
      if (!held || !newer) return;
      await send(held.form, newer.file.etag);
      setNewer(undefined);
    },
    takeTheirs() {
      if (newer) take(newer.file);
      setNewer(undefined);
    },
    later: () => setNewer(undefined),
  };
}
