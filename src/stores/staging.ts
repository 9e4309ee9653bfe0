import { isTrashed, STAGING, TRASH } from "#contract/paths";
import type { ObjectStore } from "./store.ts";

/** A store whose lists do not show what waits to be complete or to be removed, unless they are asked for in particular. */
export const withoutStaging = (store: ObjectStore): ObjectStore => ({
  ...store,
  async list(request) {
    const isHidden = (key: string): boolean => isStaged(key) && !(request.trash && isTrashed(key));
    for (let from = request; ; ) {
      const { objects, folders, next: last } = await store.list(from);
      if (isStaged(request.prefix)) return { objects, folders, next: last };
      // Whatever waits in the trash, one step leads behind it.
      const next = last !== undefined && isHidden(last) && isTrashed(last) ? BEHIND_TRASH : last;
      const shown = {
        objects: objects.filter(({ key }) => !isHidden(key)),
        folders: folders.filter((key) => !isHidden(key)),
        next,
      };
      // Without anything it would look like the end.
      if (next === undefined || shown.objects.length + shown.folders.length > 0) return shown;
      from = { ...request, after: next };
    }
  },
});

/** Behind every key in the trash: "0" is the character after the slash. */
const BEHIND_TRASH = `${TRASH.slice(0, -1)}0`;

/** Reports whether a key is of what waits to be complete or to be removed. */
export const isStaged = (key: string): boolean => key.startsWith(STAGING) || key.includes(`/${STAGING}`);
