// The folder of git hooks that a repository's own settings name (`core.hooksPath`), as its `.git/config` has it.

/** The last one counts; undefined if none is set. */
export function hooksPathOf(config: string): string | undefined {
  let inCore = false;
  let found: string | undefined;
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]\s"]+)\s*("[^"]*")?\s*\]/.exec(line);
    if (section !== null) inCore = section[1]?.toLowerCase() === 'core' && section[2] === undefined;
    // A setting may stand behind its section, on the same line.
    const setting = /^\s*hookspath\s*=\s*(.*)$/i.exec(section === null ? line : line.slice(section[0].length));
    if (inCore && setting !== null) found = valueOf(setting[1] ?? '');
  }
  return found === '' ? undefined : found;
}

function valueOf(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text.trim());
  if (quoted !== null) return (quoted[1] ?? '').replace(/\\(.)/g, '$1');
  return text.replace(/[#;].*$/, '').trim();
}
