import { Card, Skeleton } from "../../../ui/card.tsx";

/** The shapes of a link that is not open yet: its title, and rows of what is in it. */
export const LinkShapes = () => (
  <div className="mx-auto flex w-full max-w-fluid flex-1 flex-col gap-4 px-4 pt-4">
    <div className="grid gap-2">
      <Skeleton className="h-7 w-3/5 sm:w-2/5" />
      <Skeleton className="h-4 w-2/5 sm:w-1/5" />
    </div>
    <Card className="flex-1 overflow-hidden">
      {["w-2/5", "w-1/4", "w-1/3", "w-1/2", "w-1/4", "w-2/5"].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are shapes
        <div key={index} className="flex h-10 items-center gap-3 border-line border-b px-4 max-sm:h-[60px]">
          <Skeleton className="size-5" />
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </Card>
  </div>
);
