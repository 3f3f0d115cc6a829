// Shows paths briefly: the part of a sentence that names a file, and a path split into name and folder.

/** "Edited src/a.ts" and "/w/src/a.ts" give "Edited ", "src/a.ts", "". Undefined where the sentence does not name the file. */
export function splitAtPath(sentence: string, path: string): [before: string, name: string, after: string] | undefined {
  const parts = path.split(/[/\\]/);
  for (let from = 0; from < parts.length; from++) {
    for (const name of from === 0 ? [path] : [parts.slice(from).join('/'), parts.slice(from).join('\\')]) {
      const at = name === '' ? -1 : sentence.lastIndexOf(name);
      if (at >= 0) return [sentence.slice(0, at), name, sentence.slice(at + name.length)];
    }
  }
  return undefined;
}

/** The last part of a path, and the folder before it without its final slash. */
export function splitName(path: string): { name: string; folder: string } {
  const trimmed = path.replace(/[/\\]+$/, '');
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
  return { name: trimmed.slice(at + 1), folder: at > 0 ? trimmed.slice(0, at) : '' };
}
