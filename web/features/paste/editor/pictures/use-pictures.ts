import { type RefObject, useEffect, useRef, useState } from "react";
import { failureText } from "../../../../api/failure.ts";
import { useRights } from "../../../../api/session/rights.ts";
import { inlineFileLink } from "../../../../api/share-addresses.ts";
import { loadWords, t } from "../../../../i18n/i18n.ts";
import type { UploadItem, Uploads } from "../../../../transfer/uploads.ts";
import { namedPaste } from "../../../../ui/file-drop/pasted-name.ts";
import { inserted } from "../formats.ts";
import type { EditorSurface } from "../surface/surface.ts";

/** A picture on its way into the text. */
interface Waiting {
  readonly id: string;
  readonly name: string;
  /** Stands in the text until the picture is there. */
  readonly holder: string;
}

interface Lost {
  readonly file: File;
  readonly reason: string;
}

interface Parts {
  readonly surface: RefObject<EditorSurface | null>;
  /** The text of now. */
  readonly text: () => string;
  readonly write: (text: string) => void;
}

const isPicture = ({ type }: File): boolean => type.startsWith("image/");

/** The Markdown of a picture; a name cannot end the brackets around it. */
const pictureOf = (name: string, address: string): string => `![${name.replace(/[[\]\\]/g, " ").trim()}](${address})`;

/** What uploads pictures; it is loaded with the first one. */
function useUploadEngine(onChange: () => void) {
  const engine = useRef<Uploads>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;
  const ending = useRef<() => void>(undefined);
  useEffect(() => () => ending.current?.(), []);

  const load = async () => {
    const [{ pictures }] = await Promise.all([import("./pictures.ts"), loadWords("upload")]);
    ending.current ??= pictures.items.subscribe(() => changed.current());
    engine.current = pictures;
    return pictures;
  };
  return { engine, load };
}

/** Pictures that are put into the text: uploaded as file shares, with a word in their place until they are there. */
export function usePictures({ surface, text, write }: Parts) {
  const rights = useRights();
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [percent, setPercent] = useState(0);
  const [lost, setLost] = useState<readonly Lost[]>([]);
  const [problem, setProblem] = useState<string>();
  const { engine, load } = useUploadEngine(() => look());
  const live = useRef({ waiting, text, write });
  live.current = { ...live.current, text, write };

  const settle = (item: UploadItem, { id, holder, name }: Waiting) => {
    live.current.waiting = live.current.waiting.filter((one) => one.id !== id);
    setWaiting(live.current.waiting);
    const done = item.state === "completed" && item.result;
    const now = live.current.text();
    live.current.write(now.replace(holder, () => (done ? pictureOf(name, inlineFileLink(done.slug)) : "")));
    // What is done with would stand in the way of the same picture another time.
    queueMicrotask(() => engine.current?.remove(id));
    if (!done && item.state === "failed") {
      const reason = item.failure ? failureText(item.failure) : "";
      setLost((before) => [...before, { file: item.file, reason }]);
    }
  };

  const look = () => {
    const items = engine.current?.items.get() ?? [];
    const mine = live.current.waiting.flatMap((one) => {
      const item = items.find(({ id }) => id === one.id);
      return item ? [{ one, item }] : [];
    });
    const size = mine.reduce((sum, { item }) => sum + item.file.size, 0);
    setPercent(Math.floor((mine.reduce((sum, { item }) => sum + item.sent, 0) / Math.max(1, size)) * 100));
    for (const { one, item } of mine) if (/completed|failed|aborted/.test(item.state)) settle(item, one);
  };

  const send = async (given: readonly File[]) => {
    const uploads = engine.current ?? (await load().catch(() => undefined));
    if (!uploads) return setProblem(t("shell.failure.network"));
    const now = new Date();
    const files = given.map((file) => namedPaste(file, now));
    uploads.add(files);
    const rows = uploads.items.get().filter(({ file, state }) => state === "idle" && files.includes(file));
    const added = rows.map(({ id, file: { name } }, index) => ({
      id,
      name,
      holder: `![${t("editing.picture.holder", { name })}](#${Date.now()}-${index})`,
    }));
    live.current.waiting = [...live.current.waiting, ...added];
    setWaiting(live.current.waiting);
    surface.current?.edit(inserted(added.map(({ holder }) => holder).join("\n")));
    uploads.start({});
  };

  return {
    /** Takes files that are all pictures; answers whether it did, or said why not. */
    take(files: readonly File[]): boolean {
      if (files.length === 0 || !files.every(isPicture)) return false;
      setProblem(undefined);
      if (!rights.may("file_share"))
        setProblem(t(rights.signedIn ? "editing.picture.keyMayNot" : "editing.picture.signIn"));
      else void send(files);
      return true;
    },
    /** How many are on their way, and how far they are together. */
    waiting: waiting.length,
    percent,
    lost,
    problem,
    /** Tries those again that were lost. */
    again() {
      const files = lost.map(({ file }) => file);
      setLost([]);
      void send(files);
    },
    forgive() {
      setLost([]);
      setProblem(undefined);
    },
  };
}
