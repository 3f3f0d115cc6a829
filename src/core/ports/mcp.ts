// Servers of the Model Context Protocol that a session may use: what they offer, how they stand, and what they may ask of the user.
import { type PluginIdentity } from './plugin-identity';
import { type McpRequestField } from '../../shared/mcp-view';
import { type Path } from './path';

/** Where a server was named; a whole entry of an earlier scope hides the same name in later ones. */
export type McpScope = 'managed' | 'command-line' | 'local' | 'project' | 'user' | 'plugin' | 'editor';

export type McpServerConfig =
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | {
      type: 'http' | 'sse' | 'ws';
      url: string;
      headers: Record<string, string>;
      headersHelper?: string;
      oauth?: McpOAuthConfig;
    };

export interface McpOAuthConfig {
  clientId?: string;
  /** For a registration that was made by hand. */
  clientSecret?: string;
  callbackPort?: number;
  scopes?: string[];
  authServerMetadataUrl?: string;
}

/** A question of the file that names a server. */
export interface McpInput {
  id: string;
  description: string;
  isPassword: boolean;
  /** None: a text. */
  choices: { value: string; label: string }[];
  initial?: string;
}

export interface McpServerEntry {
  name: string;
  scope: McpScope;
  /** The file that names it, where one does. */
  file?: Path;
  /** Variables are put in already. */
  config: McpServerConfig;
  /** Milliseconds a call may take; the host's own where left out. */
  timeoutMs?: number;
  /** Its tools are never deferred, and so the first request waits for it. */
  alwaysLoad: boolean;
  /** What it wants to know of the user. */
  inputs?: McpInput[];
  /** Ids of those that nobody has answered yet: it is not started. */
  missing?: string[];
  /** It is inside the program that runs Deft: `config` starts nothing. */
  program?: true;
  /** The plugin that supplies it. */
  plugin?: PluginIdentity;
  /** JSON as its file has it, variables not put in: what a user is shown and agrees to. */
  written: string;
}

export type McpServerState =
  /** The user has switched it off, or a managed setting refuses it. */
  | { kind: 'disabled'; why: string }
  /** A project names it and the user has not agreed yet. */
  | { kind: 'unapproved' }
  | { kind: 'connecting' }
  /** `wantsRights`: a request needed more than the sign-in gave. */
  | { kind: 'connected'; wantsRights?: boolean }
  | { kind: 'reconnecting'; attempt: number }
  | { kind: 'needs-sign-in' }
  /** A sentence. */
  | { kind: 'failed'; why: string };

/** As servers describe them; `inputSchema` is JSON Schema of their own making. */
export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; openWorldHint?: boolean };
  meta: Record<string, unknown>;
  /** How users know the server and the tool, where that is not by their names. */
  shownAs?: { server: string; tool: string };
}

export interface McpResource {
  server: string;
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}

export interface McpPrompt {
  server: string;
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}

export interface McpServerStatus {
  entry: McpServerEntry;
  state: McpServerState;
  tools: readonly McpTool[];
  prompts: readonly McpPrompt[];
  /** How many it has listed. */
  resources: number;
  instructions?: string;
}

/** One piece of what a server gives back; base64 where it is not text. */
export type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  /** `meta`: what the server says about it, for whoever shows it; the model is not told. */
  | {
      type: 'resource';
      uri: string;
      mimeType?: string;
      text?: string;
      blob?: string;
      meta?: Record<string, unknown>;
    }
  | { type: 'link'; uri: string; name: string; description?: string };

export type McpCallOutcome =
  | { outcome: 'answered'; content: McpContent[]; structured?: Record<string, unknown>; isError: boolean }
  /** The server did not answer in order; the sentence says what to do. */
  | { outcome: 'failed'; message: string };

export interface McpCallOptions {
  signal: AbortSignal;
  onProgress?: (text: string) => void;
}

/** What the user is asked for a server; headless declines. */
export interface McpPeople {
  elicit(
    request: McpElicitation,
    signal: AbortSignal,
  ): Promise<
    | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
    | { action: 'decline' | 'cancel' }
  >;
  /** A request to the model on the server's behalf: true where the user lets it through. */
  allowSampling(request: { server: string; text: string }, signal: AbortSignal): Promise<boolean>;
}

export type McpElicitation =
  | {
      kind: 'form';
      server: string;
      message: string;
      fields: McpRequestField[];
      /** As the server sent it. */ schema?: unknown;
    }
  | { kind: 'url'; server: string; message: string; url: string };

/** Never rejects but on abort: what servers do wrong is in outcomes and states. */
export interface McpServers {
  list(): readonly McpServerStatus[];
  /** What could not be read of the files that name servers: a sentence each, with file and line where known. */
  problems(): readonly string[];
  /** Called when any server's state or offer has changed; returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  /** Resolves when no server is connecting any more, or none of those that `among` names, or after `ms`: as long as one may take to connect, where that is undefined. */
  settled(ms: number | undefined, signal: AbortSignal, among?: (entry: McpServerEntry) => boolean): Promise<void>;
  callTool(
    server: string,
    tool: string,
    input: Record<string, unknown>,
    options: McpCallOptions,
  ): Promise<McpCallOutcome>;
  resources(server: string | undefined, signal: AbortSignal): Promise<McpResource[]>;
  readResource(server: string, uri: string, signal: AbortSignal): Promise<McpCallOutcome>;
  prompt(server: string, name: string, input: Record<string, string>, signal: AbortSignal): Promise<McpCallOutcome>;
  /** Connects again, also what had failed. */
  reconnect(server: string): Promise<void>;
  /** Signs in in the browser; then connects. A sentence where that failed. */
  signIn(server: string, signal: AbortSignal): Promise<string | undefined>;
  signOut(server: string): Promise<void>;
  /** What it wrote on its error output, and what was said about the connection: the last lines. */
  log(server: string): readonly string[];
  dispose(): Promise<void>;
}
