// Whether a value fits a setting, by the few words of JSON Schema that settings use.

/** What is wrong with it: "must be one of …"; undefined where it fits. */
export function misfit(schema: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  const { type, minimum, maximum } = schema;
  if (Array.isArray(schema['enum']))
    return schema['enum'].includes(value) ? undefined : `must be one of ${schema['enum'].map(shown).join(', ')}`;
  if (type === 'integer' || type === 'number') {
    if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value)))
      return `must be ${type === 'integer' ? 'a whole number' : 'a number'}`;
    if (typeof minimum === 'number' && value < minimum) return `must be at least ${minimum}`;
    return typeof maximum === 'number' && value > maximum ? `must be at most ${maximum}` : undefined;
  }
  if (type === 'boolean' || type === 'string')
    return typeof value === type ? undefined : `must be ${type === 'boolean' ? 'true or false' : 'a string'}`;
  return 'cannot be set by a tool';
}

/** A number or a truth value that came as a text, where the setting takes no text. */
export function repairedValue<Value>(
  { type }: Readonly<Record<string, unknown>>,
  value: Value,
): Value | number | boolean {
  if (typeof value !== 'string') return value;
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  return type === 'boolean' && /^(?:true|false)$/.test(value) ? value === 'true' : value;
}

/** As settings files write it. */
export function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'not set';
}
