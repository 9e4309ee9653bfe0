/**
 * What the build knows of an executable; build.ts puts that in this module's place. Run from its sources, Satchel has neither.
 */

/** The text of deploy/minisign.pub: the key that releases are signed with. There is none until the project has one. */
export const releaseKey: string | undefined = undefined;

/** The system that it was made for, as the archives of releases name it (linux-x64). */
export const builtFor: string | undefined = undefined;
