// Tools that other extensions register with VS Code, offered alongside those of MCP servers: this window counts as one more server.
import * as vscode from 'vscode';
import { isAbort, messageOf } from '../../core/text/errors';
import { readTools } from '../../core/mcp/read-answers';
import {
  type McpCallOutcome,
  type McpContent,
  type McpServerEntry,
  type McpServers,
  type McpServerStatus,
  type McpTool,
} from '../../core/ports/mcp';
import { shortened } from '../../shared/cut-text';
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { visibleText } from '../../shared/visible-text';
import { type OfferedTools } from '../host/configuration';
import { editorTools } from './editor-tools';

/** Rules name it: `mcp__vscode-extensions`. */
const extensionServer = 'vscode-extensions';

const entry: McpServerEntry = {
  name: extensionServer,
  scope: 'user',
  config: { type: 'stdio', command: '', args: [], env: {} },
  alwaysLoad: false,
  written: '{}',
};

/** Their tools serve the requests of their own chat, and do nothing without one. */
const externalChats = new Set(['github.copilot-chat', 'github.copilot']);

/** Both are asked each time: trust, the setting and the rules of servers may change. */
export function withExtensionTools(
  servers: McpServers,
  allowed: (entry: McpServerEntry) => boolean,
  offered: () => OfferedTools,
): McpServers {
  const known = createKnownTools(offered);
  const status = (list: readonly McpServerStatus[]): McpServerStatus | undefined => {
    // A server of that name is the user's own.
    if (list.some((one) => one.entry.name === extensionServer) || !allowed(entry)) return undefined;
    const tools = known();
    return tools.length === 0
      ? undefined
      : {
          entry,
          state: { kind: 'connected' },
          tools,
          prompts: [],
          resources: 0,
          instructions: 'Tools of other extensions in this editor. They work in its window.',
        };
  };
  return {
    ...servers,
    list() {
      const list = servers.list();
      const own = status(list);
      return own === undefined ? list : [...list, own];
    },
    async callTool(server, tool, input, options) {
      if (server !== extensionServer || servers.list().some((one) => one.entry.name === extensionServer))
        return servers.callTool(server, tool, input, options);
      const offered = status(servers.list())?.tools.some(({ name }) => name === tool) === true;
      return offered ? invoke(tool, input, options.signal) : failed(`No extension offers the tool ${tool} now.`);
    },
  };
}

/** The same list as long as the extensions' tools are the same. */
function createKnownTools(offered: () => OfferedTools): () => readonly McpTool[] {
  let of: readonly vscode.LanguageModelToolInformation[] = [];
  let text = '';
  let tools: readonly McpTool[] = [];
  return () => {
    const wanted = offered();
    if (wanted !== 'all' && wanted.size === 0) return none;
    const sources = toolSources();
    const now = vscode.lm.tools.filter(({ name }) => sources.has(name) && (wanted === 'all' || wanted.has(name)));
    if (now.length === of.length && now.every((tool, index) => tool === of[index])) return tools;
    of = now;
    const next = JSON.stringify(now);
    if (next !== text)
      tools = readTools(now, () => undefined).map((tool) => ({
        ...tool,
        ...defined({ shownAs: sources.get(tool.name) }),
      }));
    text = next;
    return tools;
  };
}

const none: readonly McpTool[] = [];

let known: ReadonlyMap<string, McpTool['shownAs']> | undefined;
let watching: vscode.Disposable | undefined;

/**
 * The tools that may be offered at all, and whose they are. Kept until extensions come or go: VS Code makes the list of
 * all of them anew for every look.
 */
function toolSources(): ReadonlyMap<string, McpTool['shownAs']> {
  watching ??= vscode.extensions.onDidChange(() => (known = undefined));
  return (known ??= new Map([
    ...editorTools.map((name) => [name, { server: 'VS Code', tool: name }] as const),
    ...vscode.extensions.all
      .filter(({ id }) => !externalChats.has(id.toLowerCase()))
      .flatMap(({ id, packageJSON }) => contributedBy(id, packageJSON)),
  ]));
}

function contributedBy(id: string, manifest: unknown): [name: string, shownAs: McpTool['shownAs']][] {
  // What comes with the editor serves its own chat.
  if (!isObject(manifest) || manifest['isBuiltin'] === true) return [];
  const { contributes, displayName } = manifest;
  const server = nameOf(displayName) ?? id;
  const tools = isObject(contributes) ? contributes['languageModelTools'] : undefined;
  return (Array.isArray(tools) ? tools : []).filter(isObject).flatMap(({ name, displayName: shown }) => {
    // Those of Deft itself are for others.
    if (typeof name !== 'string' || name.startsWith('deft_')) return [];
    return [[name, { server, tool: nameOf(shown) ?? name }]];
  });
}

/** Of a manifest with translations, VS Code gives an object. Nothing of it is trusted: one short line. */
function nameOf(text: unknown): string | undefined {
  const plain = isObject(text) ? text['value'] : text;
  if (typeof plain !== 'string') return undefined;
  const line = visibleText(plain).replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : shortened(line, maxName);
}

const maxName = 60;

async function invoke(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpCallOutcome> {
  signal.throwIfAborted();
  const source = new vscode.CancellationTokenSource();
  let cancel = (): void => undefined;
  // An extension need not listen to the token.
  const stopped = new Promise<never>((_resolve, reject) => {
    cancel = () => {
      source.cancel();
      reject(signal.reason as Error);
    };
  });
  stopped.catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const { content } = await Promise.race([
      vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined }, source.token),
      stopped,
    ]);
    return { outcome: 'answered', content: content.map(contentOf), isError: false };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof vscode.CancellationError || isAbort(error))
      return failed(`The tool ${tool} was cancelled in the editor.`);
    return failed(`The tool ${tool} failed: ${messageOf(error)}`);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Parts with data are newer than the types that Deft is built with, and known by their fields. */
function contentOf(part: unknown): McpContent {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (isObject(part)) {
    const { data, mimeType, value } = part;
    if (data instanceof Uint8Array && typeof mimeType === 'string') {
      if (mimeType.startsWith('text/') || mimeType.endsWith('json'))
        return { type: 'text', text: Buffer.from(data).toString('utf8') };
      const encoded = Buffer.from(data).toString('base64');
      return mimeType.startsWith('image/')
        ? { type: 'image', data: encoded, mimeType }
        : { type: 'resource', uri: `tool-result:${mimeType}`, mimeType, blob: encoded };
    }
    if (typeof value === 'string') return { type: 'text', text: value };
  }
  return { type: 'text', text: JSON.stringify(part) ?? '' };
}

function failed(message: string): McpCallOutcome {
  return { outcome: 'failed', message };
}
