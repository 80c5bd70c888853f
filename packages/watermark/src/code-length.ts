/** Levels of the polar code. */
export const codeLevels = 9;

/** Length of a code word, in bits. */
export const codeLength = 2 ** codeLevels;
