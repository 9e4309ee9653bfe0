/** The looks of what Home consists of, in the app and on the page that is there before it (first-home.tsx). */

/** All of it: it fills the window. */
export const HOME = "fills-screen mx-auto flex h-0 min-h-[440px] w-full max-w-6xl grow flex-col sm:px-4 sm:pt-4";
/** The box with editor and options. */
export const BOX =
  "relative flex min-h-0 flex-1 flex-col overflow-hidden border-line bg-raised max-sm:border-b sm:rounded-xl sm:border sm:shadow-raised";
