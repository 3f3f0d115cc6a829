// Permission rules as the command line takes them: several in one value, and several values behind one option.

/** Rules separated by commas or spaces, except inside parentheses: `Edit,Bash(npm run test *)` is two. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let rule = '';
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && /[\s,]/.test(character)) {
      if (rule !== '') rules.push(rule);
      rule = '';
    } else rule += character;
  }
  return rule === '' ? rules : [...rules, rule];
}

/** Tool names start with a capital letter, those of MCP tools with `mcp__`. */
export function looksLikeRule(text: string): boolean {
  return splitRules(text).every((rule) => /^(?:[A-Z*][\w*]*|mcp__[\w*-]+)(?:\(.*\))?$/s.test(rule));
}
