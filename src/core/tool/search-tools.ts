// Ranks deferred tools for a search: names count most, then what the tools say about themselves.

export interface SearchedTool {
  name: string;
  /** Lower case. */
  text: string;
}

/** Names, best first, at most `most`; with `select:` all that are named. */
export function searchTools(query: string, tools: readonly SearchedTool[], most: number): string[] {
  const [, names] = /^\s*select:(.*)$/s.exec(query) ?? [];
  if (names !== undefined) return selected(names, tools);
  const words = query
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '' && word !== '+');
  const required = words.filter((word) => word.startsWith('+')).map((word) => word.slice(1));
  const all = [...new Set([...required, ...words.filter((word) => !word.startsWith('+'))])];
  return tools
    .map(({ name, text }) => ({ name, score: score(all, required, name.toLowerCase(), text) }))
    .filter((found) => found.score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Also where the case differs, or only the tool's own part is given and no other has it. */
function selected(names: string, tools: readonly SearchedTool[]): string[] {
  const wanted = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set(wanted.flatMap((name) => find(name.toLowerCase(), tools) ?? []))];
}

function find(name: string, tools: readonly SearchedTool[]): string | undefined {
  const whole = tools.find((tool) => tool.name.toLowerCase() === name);
  if (whole !== undefined) return whole.name;
  const ending = tools.filter((tool) => tool.name.toLowerCase().endsWith(`__${name}`));
  return ending.length === 1 ? ending[0]?.name : undefined;
}

function score(words: readonly string[], required: readonly string[], name: string, text: string): number {
  if (required.some((word) => !name.includes(word))) return 0;
  const parts = name.split(/[_-]+/);
  return words.reduce((sum, word) => {
    if (name === word) return sum + 100;
    if (parts.includes(word)) return sum + 12;
    if (parts.some((part) => part.startsWith(word))) return sum + 8;
    if (name.includes(word)) return sum + 5;
    return text.includes(word) ? sum + 2 : sum;
  }, 0);
}
