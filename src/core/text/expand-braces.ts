// "{a,b}/*.{ts,tsx}" as the patterns that it stands for, as long as they are not too many.

/** Undefined where there would be more than `budget`. */
export function expandBraces(pattern: string, budget: number): string[] | undefined {
  let open = [pattern];
  const whole: string[] = [];
  while (open.length > 0) {
    const next: string[] = [];
    for (const one of open) {
      const parts = firstGroup(one);
      if (parts === undefined) whole.push(one);
      else next.push(...parts.choices.map((choice) => `${parts.before}${choice}${parts.behind}`));
      if (whole.length + next.length > budget) return undefined;
    }
    open = next;
  }
  return [...new Set(whole)];
}

/** The first group that offers a choice: what has no comma in it is not a group. */
function firstGroup(pattern: string): { before: string; choices: string[]; behind: string } | undefined {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    if (pattern[start - 1] === '\\') continue;
    const choices = [''];
    let depth = 0;
    for (let at = start; at < pattern.length; at++) {
      const character = pattern[at] ?? '';
      if (character === '{' && depth++ === 0) continue;
      if (character === '}' && --depth === 0) {
        if (choices.length > 1) return { before: pattern.slice(0, start), choices, behind: pattern.slice(at + 1) };
        break;
      }
      if (character === ',' && depth === 1) choices.push('');
      else choices[choices.length - 1] += character;
    }
  }
  return undefined;
}
