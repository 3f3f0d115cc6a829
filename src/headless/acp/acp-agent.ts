// The agent side of the Agent Client Protocol: its requests, and the sessions of one connection.
import {
  agent,
  type AgentContext,
  type AgentApp,
  type ClientCapabilities,
  type McpServer,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import { DeftError } from '../../core/text/errors';
import { homeFolder } from '../../node/home-folder';
import { createJsonlSessionStore } from '../../node/sessions/jsonl-session-store';
import { sessionsDirectory } from '../../node/sessions/sessions-directory';
import { type RunOptions } from '../command-line/run-options';
import { type AcpProcess, AcpSession } from './acp-session';
import { serversConfig } from './acp-servers';

export interface AcpAgent {
  app: AgentApp;
  /** Ends all sessions. */
  close(): Promise<void>;
}

/** What an editor gives for a session. */
interface SessionRequest {
  cwd: string;
  additionalDirectories?: string[];
  mcpServers?: McpServer[];
}

/** `options` are those of the command line: each session begins with them. */
export function createAcpAgent(options: RunOptions, process: AcpProcess): AcpAgent {
  const sessions = new Map<string, AcpSession>();
  let capabilities: ClientCapabilities = {};
  const of = (id: string): AcpSession => {
    const session = sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  };
  const open = async (
    client: AgentContext,
    { cwd, additionalDirectories = [], mcpServers = [] }: SessionRequest,
    session: RunOptions['session'],
  ): Promise<AcpSession> => {
    const own: RunOptions = {
      ...options,
      session,
      mcpConfig: [...options.mcpConfig, ...serversConfig(mcpServers)],
      addDirectories: [...options.addDirectories, ...additionalDirectories],
    };
    const opened = await explained(AcpSession.open({ client, capabilities, cwd, options: own, process }));
    sessions.set(opened.id, opened);
    return opened;
  };
  /** Once the answer is on its way: before that the editor does not know the session. */
  const announced = (session: AcpSession): AcpSession => {
    setTimeout(() => void session.opened(), 0);
    return session;
  };
  const close = async (session: AcpSession): Promise<void> => {
    sessions.delete(session.id);
    await session.close();
  };
  /** A session that is open is closed first: it holds the lock of its log. */
  const reopen = async (client: AgentContext, request: SessionRequest & { sessionId: string }): Promise<AcpSession> => {
    const { sessionId: id } = request;
    const before = sessions.get(id);
    if (before !== undefined) await close(before);
    return open(client, request, { kind: 'resume', id, fork: false, until: undefined, newId: undefined });
  };

  const app = agent({ name: 'deft' })
    .onRequest('initialize', ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'deft', title: 'Deft', version: process.version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
        },
        authMethods: [],
      };
    })
    .onRequest('authenticate', () => ({}))
    .onRequest('session/new', async ({ params, client }) => {
      const { id, modes } = announced(await open(client, params, { kind: 'new', id: undefined }));
      return { sessionId: id, modes };
    })
    .onRequest('session/load', async ({ params, client }) => {
      const session = await reopen(client, params);
      await session.replay();
      return { modes: announced(session).modes };
    })
    .onRequest('session/resume', async ({ params, client }) => {
      return { modes: announced(await reopen(client, params)).modes };
    })
    .onRequest('session/list', async ({ params }) => {
      const cwd = params.cwd ?? globalThis.process.cwd();
      const found = await createJsonlSessionStore(sessionsDirectory(homeFolder(), cwd)).list();
      return {
        sessions: found.map(({ id, title, updatedAt }) => ({
          sessionId: id,
          cwd,
          title,
          updatedAt: new Date(updatedAt).toISOString(),
        })),
      };
    })
    .onRequest('session/close', async ({ params }) => {
      await close(of(params.sessionId));
      return {};
    })
    .onRequest('session/set_mode', ({ params }) => {
      const refused = of(params.sessionId).setMode(params.modeId);
      if (refused !== undefined) throw new RequestError(invalidParams, refused);
      return {};
    })
    .onRequest('session/prompt', async ({ params }) => ({
      stopReason: await explained(of(params.sessionId).prompt(params.prompt)),
    }))
    .onNotification('session/cancel', ({ params }) => of(params.sessionId).cancel());

  return {
    app,
    close: async () => void (await Promise.allSettled([...sessions.values()].map((session) => session.close()))),
  };
}

const invalidParams = -32602;
const internalError = -32603;

/** The sentence of what is no bug reaches the user as it is. */
async function explained<Value>(done: Promise<Value>): Promise<Value> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof DeftError && error.audience === 'user')
      throw new RequestError(internalError, error.message, { code: error.code });
    throw error;
  }
}
