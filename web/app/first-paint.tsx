import type { ReactNode } from "react";
import { BRAND_PLACE, BrandMark } from "./brand.tsx";

/**
 * What the page of a share shows before its scripts are there; build.ts writes it into the page. The name is its only word, because nobody
 * knows yet which language is spoken.
 */
export const FirstPaint = ({ name, shapes }: { readonly name: string; readonly shapes: ReactNode }) => (
  <>
    <div className="border-line border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-4">
        <span className={BRAND_PLACE}>
          <BrandMark />
          {name}
        </span>
      </div>
    </div>
    <div className="flex min-w-0 flex-1 flex-col">{shapes}</div>
  </>
);
