// The few globals that every host has and core may use; nothing of Node or the DOM beyond them.

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

declare const AbortSignal: {
  any(signals: AbortSignal[]): AbortSignal;
  abort(reason?: unknown): AbortSignal;
};

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

declare class URL {
  static canParse(url: string, base?: string): boolean;
  constructor(url: string, base?: string);
  protocol: string;
  hash: string;
  readonly href: string;
  readonly host: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly port: string;
  readonly search: string;
  readonly username: string;
  readonly password: string;
}

declare function btoa(binary: string): string;
/** Throws on what is no base64. */
declare function atob(base64: string): string;
