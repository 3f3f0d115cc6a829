// How much of what servers send is taken, and how long they are waited for.
import { defined } from '../../shared/defined';

/** Characters of a description, and of a server's instructions. */
export const maxDescription = 2_048;
/** Of a tool's own description: only what is loaded costs tokens. */
export const maxToolDescription = 4_096;
/** For one tool's schema, as JSON; a model could not call a tool with a larger one. */
export const maxSchema = 100_000;
/** For the schemas of all tools of one server: each request holds them. */
export const maxToolChars = 2_000_000;
export const maxTools = 2_000;
export const maxPrompts = 1_000;
export const maxResources = 5_000;
/** Pages of one list: a server may give the same cursor for ever. */
export const maxPages = 100;
/** Bytes of one message. */
export const maxMessageBytes = 16 * 1024 * 1024;
/** Characters of a request to the model: as many as a user is shown of it. */
export const maxSampleChars = 20_000;
/** Lines and characters of a server's log. */
export const maxLogLines = 500;
export const maxLogLine = 2_000;

/** How long a first request waits for servers that nobody marked as needed. */
export const startMs = 2_500;

export interface McpTimes {
  /** To start and say hello. */
  connectMs: number;
  /** One call in all. */
  callMs: number;
  /** A call of a remote server without any word of it. */
  silentMs: number;
  /** Before the first new try; doubled at each. */
  retryMs: number;
}

export const mcpTimes: McpTimes = { connectMs: 30_000, callMs: 30 * 60_000, silentMs: 5 * 60_000, retryMs: 1_000 };

/** `MCP_TIMEOUT` and `MCP_TOOL_TIMEOUT`, in milliseconds; what is not a number is skipped. */
export function timesFromVariables(variables: Readonly<Record<string, string | undefined>>): McpTimes {
  const connectMs = milliseconds(variables['MCP_TIMEOUT']);
  const callMs = milliseconds(variables['MCP_TOOL_TIMEOUT']);
  return {
    ...mcpTimes,
    ...defined({ connectMs, callMs }),
  };
}

/** The same, read at each use: settings files are read later than servers are set up, and change. */
export function timesNow(variables: () => Readonly<Record<string, string | undefined>>): McpTimes {
  return {
    ...mcpTimes,
    get connectMs() {
      return timesFromVariables(variables()).connectMs;
    },
    get callMs() {
      return timesFromVariables(variables()).callMs;
    },
  };
}

/** Timers of JavaScript take no longer ones. */
export const longestMs = 2 ** 31 - 1;

function milliseconds(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,11}$/.test(text) ? Math.min(Number(text), longestMs) : undefined;
}
