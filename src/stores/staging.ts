import { STAGING } from "#contract/paths";
import type { ObjectStore } from "./store.ts";

/** A store whose lists do not show what waits to be complete or to be removed, unless they are asked for in particular. */
export const withoutStaging = (store: ObjectStore): ObjectStore => ({
  ...store,
  async list(request) {
    for (let from = request; ; ) {
      const { objects, folders, next } = await store.list(from);
      if (isStaged(request.prefix)) return { objects, folders, next };
      const shown = {
        objects: objects.filter(({ key }) => !isStaged(key)),
        folders: folders.filter((key) => !isStaged(key)),
        next,
      };
      // Without anything it would look like the end.
      if (next === undefined || shown.objects.length + shown.folders.length > 0) return shown;
      from = { ...request, after: next };
    }
  },
});

const isStaged = (key: string): boolean => key.startsWith(STAGING) || key.includes(`/${STAGING}`);
