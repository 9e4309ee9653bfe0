/** The argument by which the executable makes thumbnails and does nothing else. */
export const THUMBNAILS_COMMAND = "make-thumbnails";
