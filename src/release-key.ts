/**
 * The project's minisign key, which signs the checksums of releases: what an executable trusts. There is none when run from source; build.ts
 * puts that of deploy/minisign.pub in this module's place.
 */
export const releaseKey: string | undefined = undefined;
