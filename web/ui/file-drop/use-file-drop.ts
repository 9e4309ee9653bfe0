import { useEffect, useEffectEvent, useState } from "react";
import { type Dropped, droppedIn } from "./dropped.ts";
import { OWN_DRAG } from "./own-drag.ts";

function hasFiles({ dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  return types.includes("Files") && !types.includes(OWN_DRAG);
}

/** Reports whether a clipboard means its files: office programs add a picture of the text that is meant. */
function meansFiles({ types, files }: DataTransfer): boolean {
  return files.length > 0 && !(types.includes("text/plain") && types.includes("text/html"));
}

/** Called with the element that files hover over as they move; undefined when they are gone. */
type Hover = (over: EventTarget | null | undefined) => void;

/**
 * Takes files that are dropped anywhere on the page or pasted, before an editor can and before the browser leaves for them;
 * answers whether some hover over the page. What they are dropped on is told beside them.
 */
export function useFileDrop(
  onDrop: (dropped: Dropped, on?: EventTarget | null) => void,
  onHover: Hover = () => undefined,
): boolean {
  const [over, setOver] = useState(false);
  const take = useEffectEvent(onDrop);
  const tell = useEffectEvent(onHover);

  useEffect(() => {
    const hover = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
      tell(event.target);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget !== null) return;
      setOver(false);
      tell(undefined);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      tell(undefined);
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      offer(droppedIn(event.dataTransfer, event), event.target);
    };
    const paste = (event: ClipboardEvent) => {
      if (!event.clipboardData || !meansFiles(event.clipboardData)) return;
      event.preventDefault();
      event.stopPropagation();
      offer(droppedIn(event.clipboardData, event), undefined);
    };
    const offer = (dropped: Dropped, on: EventTarget | null | undefined) => {
      if (dropped.files.length + dropped.folders.length > 0) take(dropped, on);
    };
    window.addEventListener("dragover", hover, true);
    window.addEventListener("dragleave", leave, true);
    window.addEventListener("drop", drop, true);
    window.addEventListener("paste", paste, true);
    return () => {
      window.removeEventListener("dragover", hover, true);
      window.removeEventListener("dragleave", leave, true);
      window.removeEventListener("drop", drop, true);
      window.removeEventListener("paste", paste, true);
    };
  }, []);

  return over;
}
