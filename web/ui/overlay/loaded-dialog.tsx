import type { ReactNode } from "react";
import { type Arriving, LoadedCode } from "../loaded-code.tsx";
import { Dialog } from "./dialog.tsx";

interface LoadedDialogProps<Code> {
  readonly code: Arriving<Code>;
  /** What the dialog is called where its code does not come. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: (code: Code) => ReactNode;
}

/** A dialog whose code comes at its first use: nothing before, and a way to try again where the code does not come. */
export function LoadedDialog<Code>({ code, title, onClose, children }: LoadedDialogProps<Code>) {
  if (code.data !== undefined) return children(code.data);
  return code.error ? (
    <Dialog title={title} onClose={onClose}>
      <LoadedCode code={code}>{() => null}</LoadedCode>
    </Dialog>
  ) : null;
}
