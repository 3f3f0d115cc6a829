// Markdown as the text that is read, without the marks that are drawn and not written; and text as a block of Markdown.

/** Between fences longer than any in the text, whatever stands in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

/** Without the marks that are drawn and not written: fences, emphasis, addresses of links. Code in blocks stays as it is. */
export function plainMarkdown(text: string): string {
  let fence = '';
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === '' ? mark !== undefined : mark?.startsWith(fence) === true) {
      fence = fence === '' ? (mark ?? '') : '';
    } else {
      lines.push(fence === '' ? plainLine(line) : line);
    }
  }
  return lines.join('\n');
}

function plainLine(line: string): string {
  if (!/[[*_`|#>~+\\-]|^\s*\d/.test(line)) return line;
  if (/^[\s|:-]+$/.test(line)) return '';
  const inner = line
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+/, '')
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1');
  const cells = line.trimStart().startsWith('|') ? inner.replace(/\s*(?<!\\)\|\s*/g, '\n') : inner;
  // What is between backticks is code: its stars and underlines are not marks.
  return cells
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : unemphasized(part)))
    .join('');
}

function unemphasized(text: string): string {
  const strong = text.replace(/(?:\*\*|~~)(?=\S|$)|(?<=\S|^)(?:\*\*|~~)/g, '');
  return strong
    .replace(/(?<![\w*])\*(?=\S)([^*]*?\S)\*(?![\w*])/g, '$1')
    .replace(/(?<!\w)(__?)(?=\S)([^_]*?\S)\1(?!\w)/g, '$2');
}
