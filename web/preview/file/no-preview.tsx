import EyeOff from "lucide-react/icons/eye-off";
import type { ReactNode } from "react";

interface UnshownProps {
  readonly text: string;
  /** What can be done about it. */
  readonly action?: ReactNode;
}

/** In place of a preview that did not come about; Download is at the top of the page. */
export const NoPreview = ({ text, action }: UnshownProps) => (
  <div className="grid justify-items-center gap-3 p-6 text-center text-muted">
    <EyeOff aria-hidden className="size-7" />
    <p role="alert" className="max-w-[42ch] text-balance">
      {text}
    </p>
    {action}
  </div>
);
