// Fetching pages: one hop at a time, so that every address on the way can be judged.

export interface WebRequest {
  /** `https:`, or `http:` of this machine where the host allows it. */
  url: string;
  headers: Readonly<Record<string, string>>;
  maxBytes: number;
  timeoutMs: number;
}

export type WebOutcome =
  | {
      outcome: 'response';
      status: number;
      /** Names in lower case. */
      headers: Readonly<Record<string, string>>;
      /** Decoded from its content encoding; cut at `maxBytes`. */
      bytes: Uint8Array;
      truncated: boolean;
    }
  /** `private`: the name leads to an address of this machine or of the local network. `message` is a sentence. */
  | { outcome: 'refused'; code: 'private' | 'not_found' | 'tls' | 'timeout' | 'failed'; message: string };

export interface WebClient {
  /** Follows no redirect. The address that the name resolved to is the one that is connected to. Rejects only on abort. */
  fetch(request: WebRequest, signal: AbortSignal): Promise<WebOutcome>;
}
