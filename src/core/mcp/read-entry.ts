// One server's entry in a file: its shape, its variables, and what is wrong with it in a sentence.
import { defined } from '../../shared/defined';
import { type McpInput, type McpOAuthConfig, type McpServerConfig, type McpServerEntry } from '../ports/mcp';
import { type McpConfigSource } from './config-source';
import { inputsIn, putInputsIn } from './config-inputs';
import { expandVariables, type Variables } from './expand-variables';
import { isObject } from '../../shared/plain-object';

export interface EntryProblem {
  /** Below the entry. */
  path: string[];
  message: string;
}

/** Names that stand for servers of other hosts; `ide` is Deft's own way to the editor. */
export const reservedNames: ReadonlySet<string> = new Set([
  'workspace',
  'claude-in-chrome',
  'computer-use',
  'Claude Preview',
  'Claude Browser',
  'ide',
]);

const remoteTypes = { http: 'http', 'streamable-http': 'http', sse: 'sse', ws: 'ws' } as const;

/** The questions of a file, and what the user has answered; without answers, nobody can be asked. */
export interface FileInputs {
  questions: ReadonlyMap<string, McpInput>;
  answers: Readonly<Record<string, string>> | undefined;
}

/** Without an entry where it cannot be used; a problem may also come with one. */
export function readEntry(
  name: string,
  value: unknown,
  source: McpConfigSource,
  variables: Variables,
  given: FileInputs = noInputs,
): { entry?: McpServerEntry; problems: EntryProblem[] } {
  const problems: EntryProblem[] = [];
  const report = (message: string, ...path: string[]): undefined =>
    void problems.push({ path, message: `server "${name}": ${message}` });
  const inputs = inputsOf(value, given, report);
  const fields = inputs && usableFields(name, value, report);
  if (inputs === undefined || fields === undefined) return { problems };
  const config = readConfig(fields, source, variables, { answers: given.answers ?? {}, ...inputs }, report);
  if (config === undefined) return { problems };
  const { timeout, alwaysLoad } = fields;
  const timeoutMs = typeof timeout === 'number' && timeout > 0 ? timeout : undefined;
  if (timeout !== undefined && timeoutMs === undefined)
    report('"timeout" must be a number of milliseconds; it is ignored.', 'timeout');
  if (alwaysLoad !== undefined && typeof alwaysLoad !== 'boolean')
    report('"alwaysLoad" must be true or false; it is ignored.', 'alwaysLoad');
  return {
    entry: {
      name,
      scope: source.scope,
      ...defined({ file: source.file }),
      config,
      ...defined({ timeoutMs }),
      alwaysLoad: alwaysLoad === true,
      ...(inputs.inputs.length === 0 ? {} : { inputs: inputs.inputs }),
      ...(inputs.missing.length === 0 ? {} : { missing: inputs.missing }),
      written: JSON.stringify(value, undefined, 2),
    },
    problems,
  };
}

const noInputs: FileInputs = { questions: new Map(), answers: undefined };

interface EntryInputs {
  inputs: McpInput[];
  /** Ids. */
  missing: string[];
}

/** Undefined, and reported, where the entry wants what it cannot get. */
function inputsOf(value: unknown, { questions, answers }: FileInputs, report: Report): EntryInputs | undefined {
  const ids = inputsIn(JSON.stringify(value) ?? '');
  const inputs = ids.flatMap((id) => questions.get(id) ?? []);
  const undescribed = ids.filter((id) => !questions.has(id));
  if (undescribed.length > 0)
    return report(
      `it asks for the input ${undescribed.map((id) => `"${id}"`).join(', ')}, which is not among the "inputs" of its file (of type "promptString" or "pickString"). Describe it there, or use an environment variable.`,
    );
  const missing = ids.filter((id) => answers?.[id] === undefined);
  if (answers === undefined && missing.length > 0)
    return report(
      `it asks for the input ${inputs.map(({ id, description }) => `"${id}" (${description})`).join(', ')}, and nobody can be asked here. Use an environment variable instead: \`\${env:NAME}\`.`,
    );
  return { inputs, missing };
}

type Report = (message: string, ...path: string[]) => undefined;

function usableFields(name: string, value: unknown, report: Report): Record<string, unknown> | undefined {
  if (name.trim() === '') return report('a server needs a name.');
  if (reservedNames.has(name)) return report('this name is reserved. Give the server another one.');
  if (!isObject(value)) return report('its entry must be an object with "command" or "url".');
  return value;
}

function readConfig(
  value: Record<string, unknown>,
  source: McpConfigSource,
  variables: Variables,
  inputs: EntryInputs & { answers: Readonly<Record<string, string>> },
  report: Report,
): McpServerConfig | undefined {
  const missing = new Map<string, boolean>();
  // Answers come last: nothing in them is a variable.
  const expand = (text: string): string =>
    putInputsIn(
      expandVariables(editorVariables(text, source, variables), variables, (variable, isCredential) =>
        missing.set(variable, isCredential),
      ),
      inputs.answers,
    );
  const config =
    value['url'] === undefined || value['type'] === 'stdio'
      ? stdio(value, expand, report)
      : remote(value, source, expand, inputs.missing.length > 0, report);
  if (config === undefined) return undefined;
  for (const [variable, isCredential] of missing) {
    report(
      isCredential
        ? `\`\${${variable}}\` holds a credential of Deft, which no server receives. It is not replaced.`
        : `the environment variable ${variable} is not set, so \`\${${variable}}\` is not replaced. Set it, or give a default: \`\${${variable}:-…}\`.`,
    );
  }
  return config;
}

/** VS Code writes variables of its own kind. */
function editorVariables(text: string, source: McpConfigSource, variables: Variables): string {
  if (!isOfEditor(source)) return text;
  const home = variables['HOME'] ?? variables['USERPROFILE'];
  // If there are several folders: the one that the file is in.
  const folder = /^(.+)[\\/]\.vscode[\\/]mcp\.json$/.exec(source.name)?.[1] ?? variables['CLAUDE_PROJECT_DIR'];
  const known: Readonly<Record<string, string | undefined>> = {
    workspaceFolder: folder,
    workspaceFolderBasename: folder?.split(/[\\/]/).at(-1),
    userHome: home,
  };
  return text
    .replace(/\$\{(workspaceFolder|workspaceFolderBasename|userHome)\}/g, (whole, name: string) => known[name] ?? whole)
    .replace(/\$\{env:([A-Za-z_]\w*)\}/g, '${$1}');
}

/** VS Code keeps its servers under another name. */
function isOfEditor({ at }: McpConfigSource): boolean {
  return at.at(-1) === 'servers';
}

function stdio(
  value: Record<string, unknown>,
  expand: (text: string) => string,
  report: Report,
): McpServerConfig | undefined {
  const { type, command, args = [], env = {} } = value;
  if (type !== undefined && type !== 'stdio') {
    if (typeof type === 'string' && Object.hasOwn(remoteTypes, type))
      return report(`"type" is "${type}", so it needs a "url".`, 'type');
    return report(unknownType(type), 'type');
  }
  if (typeof command !== 'string' || command.trim() === '')
    return report('it needs a "command" (a program to start) or a "url".', 'command');
  if (!Array.isArray(args) || !args.every((argument) => typeof argument === 'string'))
    return report('"args" must be a list of strings.', 'args');
  const variables = textsOf(env);
  if (variables === undefined) return report('"env" must be an object of strings.', 'env');
  return { type: 'stdio', command: expand(command), args: args.map(expand), env: expandAll(variables, expand) };
}

function remote(
  value: Record<string, unknown>,
  source: McpConfigSource,
  expand: (text: string) => string,
  waits: boolean,
  report: Report,
): McpServerConfig | undefined {
  const { url, headers = {}, headersHelper } = value;
  // VS Code lets it out.
  const type = value['type'] ?? (isOfEditor(source) ? 'http' : undefined);
  if (type === undefined)
    return report('it has a "url" but no "type". Add "type": "http" (or "sse" for an older server).', 'url');
  if (typeof type !== 'string' || !Object.hasOwn(remoteTypes, type)) return report(unknownType(type), 'type');
  if (typeof url !== 'string') return report('"url" must be a string.', 'url');
  const given = textsOf(headers);
  if (given === undefined) return report('"headers" must be an object of strings.', 'headers');
  if (headersHelper !== undefined && typeof headersHelper !== 'string')
    return report('"headersHelper" must be a command.', 'headersHelper');
  // Whatever an answer will make of it: it is not reached before.
  const address = waits ? 'http://input.invalid' : expand(url);
  const schemes = type === 'ws' ? 'ws:// or wss://' : 'http:// or https://';
  if (!waits && (!(type === 'ws' ? /^wss?:\/\//i : /^https?:\/\//i).test(address) || !URL.canParse(address)))
    return report(`"url" must be an address that begins with ${schemes}.`, 'url');
  const oauth = readOAuth(value['oauth'], expand, report);
  return {
    type: remoteTypes[type as keyof typeof remoteTypes],
    url: address,
    headers: expandAll(given, expand),
    ...defined({ headersHelper, oauth }),
  };
}

function unknownType(type: unknown): string {
  return `"type" must be "stdio", "http", "sse" or "ws", not ${JSON.stringify(type)}.`;
}

function readOAuth(value: unknown, expand: (text: string) => string, report: Report): McpOAuthConfig | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) return report('"oauth" must be an object; it is ignored.', 'oauth');
  const { clientId, clientSecret, callbackPort, scopes, authServerMetadataUrl } = value;
  const scopeList = typeof scopes === 'string' ? scopes.split(/\s+/).filter((scope) => scope !== '') : scopes;
  return {
    ...(typeof clientId === 'string' ? { clientId } : {}),
    ...(typeof clientSecret === 'string' ? { clientSecret: expand(clientSecret) } : {}),
    ...(typeof callbackPort === 'number' ? { callbackPort } : {}),
    ...(Array.isArray(scopeList) && scopeList.every((scope) => typeof scope === 'string') ? { scopes: scopeList } : {}),
    ...(typeof authServerMetadataUrl === 'string' ? { authServerMetadataUrl } : {}),
  };
}

/** Numbers and flags count as the texts that users mean by them. */
function textsOf(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.some(([, one]) => !['string', 'number', 'boolean'].includes(typeof one))) return undefined;
  return Object.fromEntries(entries.map(([name, one]) => [name, String(one)]));
}

function expandAll(texts: Readonly<Record<string, string>>, expand: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(text)]));
}
