// A connection to one server while it stands, and what is needed to open one.
import { type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { type McpPeople, type McpServerEntry } from '../../core/ports/mcp';
import { type Path } from '../../core/ports/path';
import { type McpTimes } from '../../core/mcp/limits';
import { type ProgramServers } from './program-transport';
import { type ServerLog } from './server-log';

export type ListKind = 'tools' | 'prompts' | 'resources';

export interface LinkRequest {
  signal: AbortSignal;
  timeoutMs: number;
  /** Without any word of the server. */
  silentMs?: number;
  onProgress?: (text: string) => void;
}

export interface Link {
  offers(kind: ListKind): boolean;
  instructions: string | undefined;
  /** All pages of a list. Rejects where the server fails. */
  list(kind: ListKind, signal: AbortSignal): Promise<unknown[]>;
  /** Rejects where the server answers with an error, not in time, or not at all. */
  request(method: string, params: Record<string, unknown>, request: LinkRequest): Promise<Record<string, unknown>>;
  /** Notifies the server that the folders have changed. */
  rootsChanged(): void;
  close(): Promise<void>;
}

export interface LinkEvents {
  changed(kind: ListKind): void;
  /** It broke by itself; the sentence says how. */
  ended(why: string): void;
}

/** A sign-in that a host offers: what the protocol's own client needs, and the code that the browser returns. */
export interface McpSignIn extends OAuthClientProvider {
  /** After `redirectToAuthorization`: waits for the user. Rejects on abort, or with a sentence. */
  authorizationCode(signal: AbortSignal): Promise<string>;
  /** Forgets tokens and registration. */
  signOut(): Promise<void>;
}

/** A request to the model on a server's behalf. */
export interface McpSample {
  server: string;
  system?: string;
  messages: { role: 'user' | 'assistant'; text: string }[];
  maxTokens: number;
}

export interface LinkHost {
  /** For CLAUDE_PROJECT_DIR and as the folder that processes start in; native. */
  projectFolder: string | undefined;
  /** Where another folder is one that its process starts in; native. */
  startFolder?: ((entry: McpServerEntry) => string) | undefined;
  /** Workspace folders. */
  folders(): readonly Path[];
  /** Without credentials. */
  environment(): Promise<NodeJS.ProcessEnv>;
  /** Variables that every server inherits though they look like credentials. */
  passed?: (() => readonly string[]) | undefined;
  /** Where the host's own program has servers inside it. */
  program?: ProgramServers | undefined;
  version: string;
  people?: McpPeople | undefined;
  /** Asks the small model. */
  sample?: ((sample: McpSample, signal: AbortSignal) => Promise<{ text: string; model: string }>) | undefined;
  auth?: ((entry: McpServerEntry) => McpSignIn | undefined) | undefined;
  /** Asked before it is started and before each request: the sentence that keeps it from being used. */
  refuses?: ((entry: McpServerEntry) => Promise<string | undefined>) | undefined;
}

/** What a refusal of a server says is missing. */
export interface SignInChallenge {
  /** Somebody is signed in, and may not do this (403). */
  more: boolean;
  scope?: string;
  resourceMetadataUrl?: string;
}

/** A request was refused until the user signs in. */
export class SignInNeeded extends Error {
  constructor(readonly challenge: SignInChallenge) {
    super(
      challenge.more
        ? `It requires more rights than the sign-in granted${challenge.scope === undefined ? '' : ` (${challenge.scope})`}. The user grants them with “Sign in” in the list of MCP servers.`
        : 'The user must sign in to it first.',
    );
  }
}

export interface LinkOptions extends LinkHost {
  entry: McpServerEntry;
  times: McpTimes;
  log: ServerLog;
  events: LinkEvents;
  /** The user is at it: the browser may be opened. */
  signingIn?: boolean;
  /** What a request was refused for. */
  challenge?: SignInChallenge | undefined;
}

export type OpenedLink =
  | { kind: 'open'; link: Link }
  | { kind: 'needs-sign-in' }
  /** `passing`: another try may do. */
  | { kind: 'failed'; why: string; passing: boolean };
