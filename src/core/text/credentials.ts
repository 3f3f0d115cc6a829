// Names the environment variables that hold the provider credentials Deft reads, so that no started process inherits them
// and no text shows them.

/**
 * Credentials that only serve to reach a model. General cloud credentials (`AWS_ACCESS_KEY_ID` and its like) are not here:
 * the user's own commands need them, and Deft never sets them.
 */
export const CREDENTIAL_VARIABLES: readonly string[] = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_FOUNDRY_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'CLAUDE_CODE_OAUTH_TOKEN',
];

const names = new Set(CREDENTIAL_VARIABLES);

/** True for a credential's name in any case: Windows ignores case. */
export function isCredentialVariable(name: string): boolean {
  return names.has(name.toUpperCase());
}

/**
 * The secret values that an environment holds under the names above, each once. Of custom headers, those values that may be
 * secrets, without their scheme ("Bearer").
 */
export function credentialValues(environment: Readonly<Record<string, unknown>>): string[] {
  // Reading a variable of a process costs more than its name, and nearly none of them is a credential.
  const values = Object.keys(environment).flatMap((name) => {
    const value = isCredentialVariable(name) ? environment[name] : undefined;
    if (typeof value !== 'string') return [];
    return name.toUpperCase() === 'ANTHROPIC_CUSTOM_HEADERS'
      ? value.split(/\r?\n/).flatMap(headerSecret)
      : [value.trim()];
  });
  return [...new Set(values.filter((value) => value !== ''))];
}

/** A copy of an environment without credentials, and without other variables that repeat the value of one. */
export function withoutCredentials<Value>(environment: Readonly<Record<string, Value>>): Record<string, Value> {
  const values = credentialValues(environment).filter(({ length }) => length >= shortestRepeated);
  const repeats = (value: unknown): boolean =>
    typeof value === 'string' && values.some((secret) => value.includes(secret));
  return Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => !isCredentialVariable(name) && !repeats(value)),
  );
}

/** Shorter values may be in other variables by chance. */
const shortestRepeated = 16;

/** Headers that say how to answer, not who asks. */
const plainHeaders = /^(accept|anthropic-beta|anthropic-version|content-type|user-agent)$/i;
const secretHeaders = /auth|cookie|credential|key|pass|secret|token/i;

/** For a line `Name: value`. Plain words under a plain name are not secret: they would blot out ordinary text. */
function headerSecret(line: string): string[] {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon).trim();
  const value = line
    .slice(colon + 1)
    .trim()
    .replace(/^(?:basic|bearer|token)\s+/i, '');
  if (colon < 1 || plainHeaders.test(name)) return [];
  return secretHeaders.test(name) || /\d/.test(value) ? [value] : [];
}
