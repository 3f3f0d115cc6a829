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
import { isObject } from '../../shared/plain-object';

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

/** `allowed` is asked each time: trust, the setting and the rules of servers may change. */
export function withExtensionTools(servers: McpServers, allowed: (entry: McpServerEntry) => boolean): McpServers {
  const known = createKnownTools();
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
function createKnownTools(): () => readonly McpTool[] {
  let of: readonly vscode.LanguageModelToolInformation[] = [];
  let text = '';
  let tools: readonly McpTool[] = [];
  return () => {
    const names = contributedTools();
    const now = names.size === 0 ? [] : vscode.lm.tools.filter(({ name }) => names.has(name));
    if (now.length === of.length && now.every((tool, index) => tool === of[index])) return tools;
    of = now;
    const next = JSON.stringify(now);
    if (next !== text) tools = readTools(now, () => undefined);
    text = next;
    return tools;
  };
}

let contributed: ReadonlySet<string> | undefined;
let watching: vscode.Disposable | undefined;

/**
 * VS Code's own tools are left out: the agent has its like for each, with the review and the rules of Deft.
 * Kept until extensions come or go: VS Code makes the list of all of them anew for every look.
 */
function contributedTools(): ReadonlySet<string> {
  watching ??= vscode.extensions.onDidChange(() => (contributed = undefined));
  return (contributed ??= new Set(
    vscode.extensions.all
      .filter(({ id }) => !externalChats.has(id.toLowerCase()))
      .flatMap(({ packageJSON }) => namesIn(packageJSON)),
  ));
}

function namesIn(manifest: unknown): string[] {
  // What comes with the editor serves its own chat.
  if (!isObject(manifest) || manifest['isBuiltin'] === true) return [];
  const { contributes } = manifest;
  const tools = isObject(contributes) ? contributes['languageModelTools'] : undefined;
  return Array.isArray(tools)
    ? tools.filter(isObject).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
    : [];
}

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
