/** The short code of a table, as people type it, read it aloud or paste it. */

export const CODE_SIZE = 5;

const NOT_OF_A_CODE = /[^A-Z0-9]/g;
const ADDRESS = /\/(?:join|t|room)\/([A-Za-z0-9_-]{1,64})(?:[/?#]|$)/;

/** What was typed as a code is written: capitals and digits, without the blanks and dashes that people add. */
export function tidyCode(typed: string): string {
  return typed.toUpperCase().replace(NOT_OF_A_CODE, '').slice(0, CODE_SIZE);
}

/** The code, or the id of the table, that a text has in it: a code, or an address; null where there is neither. */
export function readCode(text: string): string | null {
  const address = ADDRESS.exec(text.trim())?.[1];
  if (address !== undefined) return address.length === CODE_SIZE ? address.toUpperCase() : address;
  const code = text.toUpperCase().replace(NOT_OF_A_CODE, '');
  return code.length === CODE_SIZE ? code : null;
}
