import { Skeleton } from "../../../ui/card.tsx";
import { READING_COLUMN, READING_PLACE } from "./reading-frame.tsx";

/** The shapes of a text that is not there yet. */
export const ReadingShapes = () => (
  <div className={READING_PLACE}>
    <div className={READING_COLUMN}>
      <Skeleton className="mb-3 h-7 w-1/2" />
      <Skeleton className="mb-6 h-4 w-2/5" />
      <Skeleton className="mb-8 h-9 w-full" />
      <div className="grid gap-4">
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-2/3" />
      </div>
    </div>
  </div>
);
