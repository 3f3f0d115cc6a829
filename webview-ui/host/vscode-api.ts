// The one door to the host: posts messages, awaits answers to requests, and keeps the little that survives a reload of the webview.
import type { HostMessages } from '../../src/shared/host-messages';
import type { MessageInput, RequestAnswer, RequestType, WebviewNotification } from '../../src/shared/protocol';
import type { Filled } from '../forms/request-fields';
import type { HalfAnswer } from '../forms/choices';

/** What is kept in addition to the host's own log: never messages of the conversation. */
export interface KeptState {
  sessionId: string;
  draft: string;
  /** Where the reader was; null at the end of the conversation. */
  anchor: { id: string; offset: number } | null;
  /** Images of the draft, by the names under which the host keeps them. */
  images?: readonly string[];
  /** The selection that is not to be sent. */
  hiddenSelection?: string | null;
  /** A draft that made room for another one. */
  aside?: { text: string; images: readonly string[] } | null;
  /** Typed into approvals, by their ids. */
  words?: Readonly<Record<string, string>>;
  /** Where those approvals stood. */
  wordsSession?: string;
  /** Filled into forms of MCP servers, by their ids. */
  forms?: Readonly<Record<string, Filled>>;
  /** Chosen in questions, by their ids. */
  answers?: Readonly<Record<string, HalfAnswer>>;
}

interface VscodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VscodeApi;

let api: VscodeApi | undefined;

/** VS Code hands its API out once only. */
function vscodeApi(): VscodeApi {
  api ??= acquireVsCodeApi();
  return api;
}

export function post(message: WebviewNotification): void {
  vscodeApi().postMessage(message);
}

/** The host could not answer. It has informed the user and the log why. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
}

const awaited = new Map<number, { resolve: (answer: unknown) => void; reject: (error: RequestFailed) => void }>();
/** An answer to the page before this one must not be taken for one to this page. */
let lastRequest = Date.now();

/** Rejects with `RequestFailed`. Never settles once the page is gone. */
export function request<Type extends RequestType>(type: Type, input: MessageInput<Type>): Promise<RequestAnswer<Type>> {
  const number = ++lastRequest;
  return new Promise<RequestAnswer<Type>>((resolve, reject) => {
    awaited.set(number, { resolve: (answer) => resolve(answer as RequestAnswer<Type>), reject });
    vscodeApi().postMessage({ type, ...input, request: number });
  });
}

export function takeAnswer({ request: number, answer }: HostMessages['answered']): void {
  awaited.get(number)?.resolve(answer);
  awaited.delete(number);
}

export function takeFailure({ request: number }: HostMessages['failed']): void {
  awaited.get(number)?.reject(new RequestFailed());
  awaited.delete(number);
}

/** Undefined in a webview that was never open before. */
export function keptState(): KeptState | undefined {
  const state = vscodeApi().getState();
  if (typeof state !== 'object' || state === null || !('draft' in state) || typeof state.draft !== 'string')
    return undefined;
  return state as KeptState;
}

export function keepState(change: Partial<KeptState>): void {
  vscodeApi().setState({ sessionId: '', draft: '', anchor: null, ...keptState(), ...change });
}
