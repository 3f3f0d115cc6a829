// The servers as rows of the manager: the state of each in words, what its file says, and what can be done with it.
import { quotedWord } from '../../core/text/split-words';
import { redactText, type Secrets } from '../../core/text/redact';
import { type McpScope, type McpServerEntry, type McpServerState, type McpServerStatus } from '../../core/ports/mcp';
import { shownHeader, shownVariable, withoutPassword } from '../../core/mcp/shown-values';
import { visible } from '../../core/settings/grant-text';
import { type McpAction, type McpServerRow } from '../../shared/mcp-view';
import { shortened } from '../../shared/cut-text';
import { entryFingerprint } from './mcp-consent';

export interface RowFacts {
  trusted: boolean;
  secrets: Secrets;
  log(server: string): readonly string[];
  /** How a path is shown: relative to the workspace, or from the home folder. */
  shownPath(path: string): string;
  signedIn(entry: McpServerEntry): boolean;
  /** Switched off where the user can switch it on again. */
  canEnable(entry: McpServerEntry): boolean;
}

const logLines = 100;
const longestLine = 500;
const longestDescription = 400;

const scopeWords: Readonly<Record<McpScope, string>> = {
  managed: 'Your organization',
  'command-line': 'Command line',
  local: 'You, in this project',
  project: 'This project',
  user: 'You, everywhere',
  plugin: 'Plugin',
  editor: 'This project, for VS Code',
};

/** Scopes whose files Deft writes. */
const writtenScopes: readonly McpScope[] = ['local', 'project', 'user'];

export function mcpRow(status: McpServerStatus, facts: RowFacts): McpServerRow {
  const { entry, state } = status;
  const clean = (text: string): string => visible(redactText(text, facts.secrets).replace(/\s+/g, ' '));
  const written = readWritten(entry.written, entry.config);
  return {
    name: entry.name,
    fingerprint: entryFingerprint(entry),
    scope: scopeWords[entry.scope],
    ...(entry.file === undefined ? {} : { file: facts.shownPath(entry.file) }),
    kind: entry.config.type === 'stdio' ? 'command' : 'url',
    target: clean(written.target),
    env: written.env.map(clean),
    headers: written.headers.map(clean),
    state: state.kind,
    stateText: clean(stateText(state, facts.trusted)),
    tools: status.tools.map(({ name, title, description }) => ({
      name: title ?? name,
      description: shortened(clean(description), longestDescription),
    })),
    prompts: status.prompts.length,
    resources: status.resources,
    ...(status.instructions === undefined ? {} : { instructions: clean(status.instructions) }),
    log: facts
      .log(entry.name)
      .slice(-logLines)
      .map((line) => shortened(clean(line), longestLine)),
    actions: actionsOf(entry, state, facts),
  };
}

export function stateText(state: McpServerState, trusted: boolean): string {
  switch (state.kind) {
    case 'disabled':
      return `Off. ${state.why}`;
    case 'unapproved':
      return trusted
        ? 'Waits for your approval. It is not started until then.'
        : 'Not started: trust the workspace first, then approve it.';
    case 'connecting':
      return 'Connecting…';
    case 'connected':
      return state.wantsRights === true
        ? 'Connected. A call needed more rights than your sign-in gave: sign in again to give them.'
        : 'Connected';
    case 'reconnecting':
      return `Connection lost. Trying again (${state.attempt})…`;
    case 'needs-sign-in':
      return 'Sign in to use it.';
    case 'failed':
      return `Failed. ${state.why}`;
  }
}

function actionsOf(
  entry: McpServerEntry,
  state: McpServerState,
  { trusted, signedIn, canEnable }: RowFacts,
): McpAction[] {
  const files: McpAction[] =
    entry.file === undefined ? [] : ['open', ...(writtenScopes.includes(entry.scope) ? (['remove'] as const) : [])];
  const signOut: McpAction[] = signedIn(entry) ? ['signOut'] : [];
  switch (state.kind) {
    case 'unapproved':
      return [...(trusted ? (['approve', 'disable'] as const) : []), ...files];
    case 'disabled':
      return [...(canEnable(entry) ? (['enable'] as const) : []), ...signOut, ...files];
    case 'needs-sign-in':
      return ['signIn', 'disable', ...files];
    default:
      return [
        ...(state.kind === 'connected' && state.wantsRights === true ? (['signIn'] as const) : []),
        'reconnect',
        ...signOut,
        'disable',
        ...files,
      ];
  }
}

/** What the file says, variables as they are written: what they stand for may be a secret. What it says of another kind than the one that runs counts for nothing. */
function readWritten(
  text: string,
  { type }: McpServerEntry['config'],
): { target: string; env: string[]; headers: string[] } {
  const entry = JSON.parse(text) as Record<string, unknown>;
  const { command, args, url, headersHelper } = entry;
  if (type === 'stdio') {
    const words = [String(command), ...(Array.isArray(args) ? args.map(String) : [])];
    return { target: words.map(quotedWord).join(' '), env: variables(entry['env']), headers: [] };
  }
  // It is a command that runs too.
  const helper = typeof headersHelper === 'string' ? ` (headers from: ${headersHelper})` : '';
  return {
    target: `${withoutPassword(String(url))}${helper}${signInOf(entry['oauth'])}`,
    env: [],
    headers: headersOf(entry['headers']),
  };
}

function variables(value: unknown): string[] {
  return entriesOf(value).map(([name, one]) => `${name}=${shownVariable(name, one)}`);
}

function headersOf(value: unknown): string[] {
  return entriesOf(value).map(([name, one]) => (shownHeader(one) === undefined ? name : `${name}: ${one}`));
}

/** Who is asked for a sign-in, and as whom. */
function signInOf(oauth: unknown): string {
  const details = entriesOf(oauth).flatMap(([name, one]) =>
    name === 'authServerMetadataUrl'
      ? [`by ${withoutPassword(one)}`]
      : name === 'clientId'
        ? [`as ${one}`]
        : name === 'clientSecret' && one.includes('${')
          ? [`with ${one}`]
          : [],
  );
  return details.length === 0 ? '' : ` (sign-in ${details.join(' ')})`;
}

function entriesOf(value: unknown): [name: string, value: string][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, one]) => [name, String(one)])
    : [];
}
