import { useNavigate } from "react-router-dom";
import type { Rights } from "../../../api/session/rights.ts";
import { t } from "../../../i18n/i18n.ts";
import { type Dropped, handedOver } from "../../../ui/file-drop/dropped.ts";
import { saysText } from "../editor/text-file.ts";

interface Destinations {
  readonly rights: Rights;
  /** Reads a file into the editor; answers why it is no text. */
  readonly offer: (file: File) => Promise<string | undefined>;
  /** Receives the sentence that explains a refusal. */
  readonly refuse: (problem: string) => void;
}

/** One text is read into the editor; all other files go to the upload page, for callers who may upload. */
export function useDropped({ rights, offer, refuse }: Destinations) {
  const navigate = useNavigate();
  return async (dropped: Dropped): Promise<void> => {
    const text = onlyText(dropped);
    if (text && (await offer(text)) === undefined) return;
    if (!rights.may("file_share")) return refuse(t(rights.signedIn ? "paste.home.noFiles" : "paste.home.noFilesYet"));
    handedOver.set(dropped);
    navigate("/upload");
  };
}

function onlyText({ files, folders }: Dropped): File | undefined {
  const [file, ...more] = files;
  return file && more.length + folders.length === 0 && saysText(file) ? file : undefined;
}
