// What the user should know about keys of settings files, for /doctor and the log; apart from the table of keys, which no activation needs.

/**
 * `unknown`: perhaps a spelling mistake. `unused`: another program reads it. `misplaced`: it counts only in other files.
 * `lock`: an organization takes something away from everybody else. `narrowed`: a rule that covers less than its text
 * matches.
 */
export type KeyNoteKind = 'unknown' | 'unused' | 'misplaced' | 'lock' | 'narrowed';

export interface KeyNote {
  file: string;
  /** 1-based. */
  line: number;
  kind: KeyNoteKind;
  /** As it is written, with the objects that contain it: `permissions.alow`; the text of a rule. */
  key: string;
  /** A sentence. */
  message: string;
}

/** For /doctor and the log: a line a key that is unknown or misplaced, and one a file for all that have no effect. */
export function keyNoteLines(notes: readonly KeyNote[]): string[] {
  const files = [...new Set(notes.map(({ file }) => file))];
  return files.flatMap((file) => {
    const own = notes.filter((note) => note.file === file);
    const unused = own.filter(({ kind }) => kind === 'unused').map(({ key }) => `\`${key}\``);
    return [
      ...own.filter(({ kind }) => kind !== 'unused').map(({ line, message }) => `${file}, line ${line}: ${message}`),
      ...(unused.length === 0
        ? []
        : [`${file}: ${[...new Set(unused)].join(', ')} ${unused.length === 1 ? 'has' : 'have'} no effect in Deft.`]),
    ];
  });
}
