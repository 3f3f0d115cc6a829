// How much work a line diff may cost before it falls back to a coarser one.

/** Lines removed and added that the search for the smallest diff looks at. */
export const MAX_EDIT_LENGTH = 1_000;
