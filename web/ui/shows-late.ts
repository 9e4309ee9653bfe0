/** For what may be replaced in a moment: the answer that decides about it mostly comes before anybody sees this. */
export const showsLate = "transition-[visibility] delay-400 duration-0 starting:invisible";
