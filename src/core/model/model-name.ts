// Short names of models, as users know them, and what they stand for here.

const families: Readonly<Record<string, string>> = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-2',
};

/** `ANTHROPIC_DEFAULT_OPUS_MODEL` and its like say what a short name stands for; any other name is a model's own. */
export function resolveModelName(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const family = Object.hasOwn(families, name) ? families[name] : undefined;
  return family === undefined ? name : environment[`ANTHROPIC_DEFAULT_${name.toUpperCase()}_MODEL`] || family;
}
