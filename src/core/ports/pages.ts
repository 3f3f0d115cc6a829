// Pages in a real browser: one a session, opened by its first call.

/** `ref` names an element of the page as its tree does. */
export type PageStep =
  | { action: 'open'; url: string }
  | { action: 'look' }
  | { action: 'click'; ref: string }
  | { action: 'type'; ref: string; text: string; submit: boolean }
  /** On the element that has the focus, or on this one. */
  | { action: 'press'; key: string; ref?: string }
  | { action: 'picture'; whole: boolean }
  | { action: 'close' };

/** What the permission rules say, asked at every request of the browser. */
export interface PageRules {
  /** The page itself may go there. */
  mayGo(url: string): boolean;
  /** It may load this as a part of itself. */
  mayLoad(url: string): boolean;
  /** What nothing in the browser may connect to, as rules name it: `*.h` stands for any depth below h. */
  readonly deniedHosts: readonly string[];
}

export interface PageRequest {
  session: string;
  step: PageStep;
  /** Held until the next call: pages go elsewhere by themselves too. */
  rules: PageRules;
}

/** Something that happened in the page, in the order of events; equal ones are one. */
export interface PageEvent {
  kind: 'error' | 'warning' | 'log' | 'request' | 'stopped' | 'dialog' | 'tab' | 'file' | 'crash';
  text: string;
  count: number;
}

export interface PagePicture {
  /** In base64. */
  data: string;
  mediaType: 'image/jpeg';
  width: number;
  height: number;
  /** Pixels of the page below it. */
  below: number;
}

export interface PageFacts {
  /** `about:blank` where nothing is open. */
  address: string;
  title: string;
  /** What it answered to the last opening, where it answered. */
  status?: number;
  /** Its accessibility tree, a line for each element; empty after a picture and at the end. */
  tree: string;
  /** As the call before found it; undefined for a page that is new. */
  before?: string;
  /** Since the last call. */
  events: PageEvent[];
  /** Events that were too many to be kept. */
  dropped: number;
  /** Requests that had not ended when it was looked at. */
  pending: number;
  picture?: PagePicture;
}

export type PageOutcome =
  | { outcome: 'done'; facts: PageFacts }
  /** `message` is a sentence. The events are those of the attempt. */
  | {
      outcome: 'refused';
      code: 'no-browser' | 'no-page' | 'no-element' | 'unreachable' | 'stopped' | 'not-possible';
      message: string;
      events: PageEvent[];
    };

export interface Pages {
  /** Of the session's page; undefined where none is open. */
  address(session: string): string | undefined;
  /** Its accessibility tree as the last call found it; undefined where none is open. */
  tree(session: string): string | undefined;
  /** Everything that the page has said since it was opened, as far as it is kept. */
  history(session: string): readonly PageEvent[];
  /** Calls of one session run one after another. Abort ends its browser, and rejects. */
  run(request: PageRequest, signal: AbortSignal): Promise<PageOutcome>;
  /** Ends the session's browser and removes what it kept. */
  end(session: string): Promise<void>;
  dispose(): Promise<void>;
}
