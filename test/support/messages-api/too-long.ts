// Refuses a request that does not fit into the model's window, in the words of the real API.

export interface Window {
  readonly tokens: number;
  /** Older models: the reply's limit must fit too. */
  readonly countsOutput?: boolean;
}

/** The sentence of the refusal; undefined where the request fits. */
export function tooLong(
  body: { readonly max_tokens?: unknown },
  { tokens, countsOutput = false }: Window,
): string | undefined {
  const { max_tokens: output, ...input } = body;
  const count = Math.ceil(JSON.stringify(input).length / 4);
  if (count > tokens) return `prompt is too long: ${count} tokens > ${tokens} maximum`;
  if (!countsOutput || count + Number(output) <= tokens) return undefined;
  return `input length and \`max_tokens\` exceed context limit: ${count} + ${String(output)} > ${tokens}, decrease input length or \`max_tokens\` and try again`;
}
