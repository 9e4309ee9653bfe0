/** What tells our own drags from all others; some systems call what leads to a file a file. */
export const OWN_DRAG = "application/x-satchel-entries";
