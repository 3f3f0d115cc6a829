// Fetching pages: one hop at a time, so that every address on the way can be judged.

export interface WebRequest {
  /** `https:` or `http:`, without a name and password. */
  url: string;
  /** Never a credential: none is passed on. */
  headers: Readonly<Record<string, string>>;
  maxBytes: number;
  /** For everything, from the name's resolution to the last byte. */
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
  /** Why an address is never fetched, as far as that is known without asking anybody: no permission would change it. */
  refusal?(url: string): string | undefined;
  /** Follows no redirect. The address that the name resolved to is the one that is connected to. Rejects only on abort. */
  fetch(request: WebRequest, signal: AbortSignal): Promise<WebOutcome>;
  /** Links become whole addresses, counted from `url`. Undefined where the page is too much to convert. Rejects only on abort. */
  toMarkdown(html: string, url: string, signal: AbortSignal): Promise<string | undefined>;
}
