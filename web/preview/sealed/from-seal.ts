import { createContext, useContext } from "react";

const FromSeal = createContext(false);

/** Says of the viewers within whether they show what was sealed. */
export const FromSealProvider = FromSeal.Provider;

/** Whether what is on view was sealed: then this browser writes nothing of it down, not even how far somebody has read. */
export const useFromSeal = (): boolean => useContext(FromSeal);
