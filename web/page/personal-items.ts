/** The item of localStorage with what its owner has put aside in the explorer. */
export const BASKET = "cloudpaste_file_basket";

/** The item of sessionStorage with what its owner can still undo in the explorer. */
export const UNDO = "satchel_explorer_undo";

/** The database of the browser with what transfers need to go on after a reload: names of files, and where they go. */
export const TRANSFERS = "satchel";
