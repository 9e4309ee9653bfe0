/** Where the system's share sheet sends what it shares (Web Share Target, section 5); the service worker answers it. */
export const SHARE_TARGET = "/share-target";

/** The pages to which that leads: what was shared is there to be taken, or it could not be kept. */
export const sharedPages = { taken: "/?shared", lost: "/?shared=lost" } as const;
