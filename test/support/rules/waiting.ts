/** What stands in the code and waits for its issue. These lists may only shrink. */

/** Settings that nothing reads yet, with the subject that will. */
export const waitingSettings = {} as const;

/** Exports that no page and no server calls yet, with the subject that will. */
export const waitingExports: Readonly<Record<string, string>> = {};
