// What a failed call says to the user: in a sentence what happened. What the model is told, with its advice, stays behind "Details".

/** `$1` and so on as in the pattern. What is not listed says it in its first sentence. */
const known: readonly (readonly [RegExp, string])[] = [
  [/^old_string was not found in (.+?); nothing was changed/, 'The text to replace is not in $1.'],
  [/^old_string is not unique: it occurs .+? in (.+) \(lines /, 'The text to replace is in $1 more than once.'],
  [/^old_string occurs in (.+?) with and without /, 'The text to replace is in $1 more than once.'],
  [/^File does not exist: (.+?)\. (?:Did you|The current)/, '$1 does not exist.'],
  [/^(.+?) has not been read yet\. /, 'Deft has not read $1 yet.'],
  [/^(.+?) has changed since you read it/, '$1 has changed since Deft read it.'],
  [/^The edit would leave (.+?) unchanged: /, 'The edit would not change $1.'],
  [/^InputValidationError: /, 'The agent called this tool in a form that it does not accept.'],
  [/^Error: No such tool available: ([^.]+)\./, 'The agent called a tool that does not exist: $1.'],
  [/^(\S+) failed unexpectedly: /, '$1 failed.'],
];

const maxLength = 200;

export function failureWords(message: string): string {
  for (const [pattern, words] of known) {
    const found = pattern.exec(message);
    if (found !== null) return words.replace(/\$(\d)/g, (_, index: string) => found[Number(index)] ?? '');
  }
  const [line = ''] = message.split('\n', 1);
  const sentence = /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence.length > maxLength ? `${sentence.slice(0, maxLength)}…` : sentence;
}
