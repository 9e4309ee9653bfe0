import { type DragEvent, useState } from "react";

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");

/** Properties for an element that takes a dropped file before the editor inside it can, and whether one hovers over it. */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  return {
    over,
    area: {
      onDragOverCapture: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        const towards = event.relatedTarget;
        if (!(towards instanceof Node) || !event.currentTarget.contains(towards)) setOver(false);
      },
      onDropCapture: (event: DragEvent) => {
        const file = event.dataTransfer.files[0];
        setOver(false);
        if (!file) return;
        event.preventDefault();
        event.stopPropagation();
        onFile(file);
      },
    },
  };
}
