// An MCP server as Codex or Gemini names it, as an entry of ours.
import { isObject } from '../../shared/plain-object';

type Fields = Readonly<Record<string, unknown>>;

/** A sentence's end where it cannot be taken over: "it is switched off". */
export function serverEntry(given: unknown): Record<string, unknown> | string {
  if (!isObject(given)) return 'it is not an object';
  if (given['enabled'] === false || given['disabled'] === true) return 'it is switched off';
  const { command, url, httpUrl } = given;
  const headers = headersOf(given);
  const more = Object.keys(headers).length === 0 ? {} : { headers };
  if (typeof command === 'string' && command !== '') {
    const args = Array.isArray(given['args']) ? given['args'].filter((arg) => typeof arg === 'string') : [];
    const env = texts(given['env']);
    return { type: 'stdio', command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
  }
  if (typeof httpUrl === 'string') return { type: 'http', url: httpUrl, ...more };
  if (typeof url !== 'string') return 'it has neither a command nor a URL';
  // Gemini's `url` speaks the older protocol, unless it says otherwise; Codex knows only the newer one.
  const sse = given['type'] === 'sse' || (given['type'] === undefined && /\/sse\/?$/.test(url));
  return { type: sse ? 'sse' : 'http', url, ...more };
}

/** Tokens stay where they are: a variable's name is written, never what it holds. */
function headersOf(given: Fields): Record<string, string> {
  const token = given['bearer_token_env_var'];
  const named = Object.fromEntries(
    Object.entries(texts(given['env_http_headers'])).map(([name, variable]) => [name, `\${${variable}}`]),
  );
  return {
    ...texts(given['headers']),
    ...texts(given['http_headers']),
    ...named,
    ...(typeof token === 'string' && token !== '' ? { Authorization: `Bearer \${${token}}` } : {}),
  };
}

function texts(value: unknown): Record<string, string> {
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};
}
