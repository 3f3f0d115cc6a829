// MCP servers as the panel shows them, and what a server asks of the user: the words that host and webview share.

export type McpAction = 'reconnect' | 'signIn' | 'signOut' | 'enable' | 'disable' | 'approve' | 'remove' | 'open';

export interface McpServerRow {
  name: string;
  /** Of what is shown of the entry: an approval counts for this alone. */
  fingerprint: string;
  /** Where it was named, in words: "This project". */
  scope: string;
  /** The file that names it, as it is shown. */
  file?: string;
  kind: 'command' | 'url';
  /** The whole command line, or the URL with what else is run or asked for it. */
  target: string;
  /** "NAME=value"; without the value where the name is one of a secret. */
  env: string[];
  /** Names; with the value as it is written where it holds a variable. */
  headers: string[];
  state: 'disabled' | 'unapproved' | 'connecting' | 'connected' | 'reconnecting' | 'needs-sign-in' | 'failed';
  /** The same in words, with why. */
  stateText: string;
  tools: { name: string; description: string }[];
  prompts: number;
  resources: number;
  instructions?: string;
  /** The last lines. */
  log: string[];
  /** What can be done with it now. */
  actions: McpAction[];
}

/** What the form of the manager sends. */
export interface NewMcpServer {
  name: string;
  kind: 'command' | 'url';
  /** A command line with its arguments, or the URL. */
  target: string;
  scope: 'local' | 'project' | 'user';
}

export interface McpRequestField {
  name: string;
  title: string;
  description: string;
  required: boolean;
  type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  choices: { value: string; label: string }[];
  initial?: string | number | boolean | string[];
  /** The least and the most: of a number its value, of a text its characters, of choices how many. */
  least?: number;
  most?: number;
}

/** What a server wants of the user, while one of its tools is called. */
export type McpRequest =
  | { id: string; kind: 'form'; server: string; message: string; fields: McpRequestField[] }
  | { id: string; kind: 'url'; server: string; message: string; url: string }
  | { id: string; kind: 'sampling'; server: string; message: string };

export type McpFieldValue = string | number | boolean | string[];
