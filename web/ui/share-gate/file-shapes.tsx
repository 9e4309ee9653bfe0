import { Skeleton } from "../card.tsx";

/** The shapes of a file that is not there yet. */
export const FileShapes = () => (
  <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-5 px-4 py-6 sm:py-8">
    <div className="flex flex-col gap-4 sm:flex-row sm:items-start sm:justify-between">
      <div className="grid flex-1 gap-2.5">
        <Skeleton className="h-7 w-3/5" />
        <Skeleton className="h-4 w-4/5 sm:w-2/5" />
      </div>
      <Skeleton className="h-11 w-full sm:w-40" />
    </div>
    <Skeleton className="min-h-72 flex-1 rounded-xl" />
  </div>
);
