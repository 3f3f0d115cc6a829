// A command line as the simple commands in it, with what stands between them: enough to see which checks it runs and whose exit code it has.

export interface CommandPart {
  /** As they are written, without quotes, variables in front and redirections. */
  words: string[];
  /** Some output goes to a file. */
  writes: boolean;
  /** Behind it; undefined for the last. */
  operator: '&&' | '||' | ';' | '|' | '&' | undefined;
}

const token =
  /&&|\|\||\|&|[;|\n]|(?<![<>])&(?!>|\d)|(?:\d*|&)>{1,2}(?:&\d|\s*(?:'[^']*'|"[^"]*"|[^\s;&|<>]+))|(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\[\s\S]|[^\s;&|'"\\<>])+|<[^\s<(]*/g;
/** More than words say: what is in such a line is not read. */
const unread = /<<|\$\(|`|<\(|>\(|(?:^|[\s;&|])(?:if|for|while|until|case|function|eval)\s|^\s*[({]/;
const variable = /^[A-Za-z_]\w*=/;

/** Undefined for a line that is more than commands one after the other. */
export function commandParts(line: string): CommandPart[] | undefined {
  if (line.length > 5_000 || unread.test(line)) return undefined;
  const parts: CommandPart[] = [];
  let words: string[] = [];
  let writes = false;
  const close = (operator: CommandPart['operator']): void => {
    if (words.length > 0) parts.push({ words, writes, operator });
    words = [];
    writes = false;
  };
  for (const [found] of line.replace(/\\\n/g, ' ').matchAll(token)) {
    if (/^(?:&&|\|\||;|&)$/.test(found)) close(found as CommandPart['operator']);
    else if (found === '\n') close(';');
    else if (found === '|' || found === '|&') close('|');
    else if (/^(?:\d*|&)>/.test(found)) writes ||= !/^(?:\d*|&)>{1,2}(?:&\d|\s*\/dev\/null)$/.test(found);
    else if (found.startsWith('<')) continue;
    else if (words.length > 0 || !variable.test(found)) words.push(unquoted(found));
  }
  close(undefined);
  const last = parts.at(-1);
  if (last !== undefined && last.operator !== '&') last.operator = undefined;
  return parts;
}

function unquoted(word: string): string {
  return word.replace(/^(['"])([\s\S]*)\1$/, '$2');
}
