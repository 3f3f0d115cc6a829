// Takes secrets out of text that a user or a log may see.

export type Redact = (text: string) => string;

/** Shorter values are too likely to be ordinary words of a message. */
const shortestSecret = 6;

/** Replaces every occurrence of the given secrets; undefined and very short ones are ignored. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= shortestSecret);
  // Longest first: one secret may begin with another.
  known.sort((left, right) => right.length - left.length);
  return (text) => known.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text);
}

/** Those headers alone that do not look like credentials: what is meant for one host does not concern another. */
export function withoutSecretHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secretName.test(name)));
}

const secretName = /auth|key|token|secret|cookie|password/i;

/** The values of headers that look like credentials, with and without their scheme. */
export function secretHeaderValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretName.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\w+\s+/, '')]);
}
