import { useNavigate } from "react-router-dom";
import { type Dropped, handedOver } from "../../../ui/file-drop/dropped.ts";
import { saysText } from "../editor/text-file.ts";

/** One text is read into the editor; everything else goes on to the upload page. `offer` answers why a file is no text. */
export function useDropped(offer: (file: File) => Promise<string | undefined>) {
  const navigate = useNavigate();
  return async (dropped: Dropped): Promise<void> => {
    const text = onlyText(dropped);
    if (text && (await offer(text)) === undefined) return;
    handedOver.set(dropped);
    navigate("/upload");
  };
}

function onlyText({ files, folders }: Dropped): File | undefined {
  const [file, ...more] = files;
  return file && more.length + folders.length === 0 && saysText(file) ? file : undefined;
}
