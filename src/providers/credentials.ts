// Where requests go and what they carry, from the environment variables that users have set for other tools already.

/** Fits the options of every client; absent means: not set. */
export interface EnvironmentCredentials {
  apiKey?: string | undefined;
  authToken?: string | undefined;
  baseUrl?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Beta features that every request asks for too. */
  betas?: string[] | undefined;
}

/**
 * Reads `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`, `ANTHROPIC_BASE_URL` and `ANTHROPIC_CUSTOM_HEADERS` (lines of
 * `Name: value`). Empty values count as unset; lines that are not a header are ignored.
 */
export function credentialsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentCredentials {
  const value = (name: string): string | undefined => environment[name]?.trim() || undefined;
  return {
    apiKey: value('ANTHROPIC_API_KEY'),
    authToken: value('ANTHROPIC_AUTH_TOKEN'),
    baseUrl: value('ANTHROPIC_BASE_URL'),
    ...customHeaders(value('ANTHROPIC_CUSTOM_HEADERS'), value('ANTHROPIC_BETAS')),
  };
}

/** Betas among them join those that Deft asks for: one header would replace the other. */
function customHeaders(
  lines: string | undefined,
  named: string | undefined,
): Pick<EnvironmentCredentials, 'headers' | 'betas'> {
  const all = Object.entries(headersOf(lines) ?? {});
  const isBetas = ([name]: [string, string]): boolean => name.toLowerCase() === 'anthropic-beta';
  const headers = all.filter((header) => !isBetas(header));
  const betas = [...all.filter(isBetas).map(([, value]) => value), named ?? '']
    .flatMap((value) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return {
    headers: headers.length > 0 ? Object.fromEntries(headers) : undefined,
    betas: betas.length > 0 ? betas : undefined,
  };
}

/** A header's name as HTTP defines it, a colon, and a value without control characters. */
const headerLine = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*([^\0-\x08\x0a-\x1f\x7f]*?)\s*$/;

function headersOf(text: string | undefined): Record<string, string> | undefined {
  const headers = (text ?? '').split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, name, value] = headerLine.exec(line) ?? [];
    return name === undefined || value === undefined || value === '' ? [] : [[name, value]];
  });
  return headers.length > 0 ? Object.fromEntries(headers) : undefined;
}
