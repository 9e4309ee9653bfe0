import type { ReactNode } from "react";
import { useLanguage } from "../../i18n/i18n.ts";
import { Notice } from "../notice.tsx";

interface AccessDeniedProps {
  readonly why: string;
  /** What the server has said last. */
  readonly problem?: string | undefined;
  /** The way on, where there is one. */
  readonly action?: ReactNode;
}

/** In the place of a bar of options, for somebody who may not use them. */
export function AccessDenied({ why, problem, action }: AccessDeniedProps) {
  useLanguage();
  return (
    <>
      {problem ? (
        <Notice tone="error" className="mb-3">
          {problem}
        </Notice>
      ) : null}
      <div className="flex min-h-9 flex-col gap-3 sm:flex-row sm:items-center sm:justify-between">
        <p className="wrap-anywhere text-muted">{why}</p>
        {action}
      </div>
    </>
  );
}
