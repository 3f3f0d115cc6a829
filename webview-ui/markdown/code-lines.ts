// Code as lines of pieces, and the names of its languages.
export interface CodePiece {
  text: string;
  /** CSS classes, or '' for plain text. */
  className: string;
}

export type CodeLine = readonly CodePiece[];

/** The language that a fence's info string or a file's extension names; whether it is coloured shows once the colours are loaded. */
export function languageOf(name: string): string | undefined {
  return /^[\w+#-]+/.exec(name.trim().toLowerCase())?.[0];
}

/** The language of a file by its extension. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return languageOf(name.slice(name.lastIndexOf('.') + 1));
}

export function plainLines(code: string): CodeLine[] {
  return code.split('\n').map((text) => (text === '' ? [] : [{ text, className: '' }]));
}
