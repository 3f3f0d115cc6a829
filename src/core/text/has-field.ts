// A glance at a logged output before a schema reads it.

export function hasField(output: unknown, name: string): boolean {
  return typeof output === 'object' && output !== null && name in output;
}
