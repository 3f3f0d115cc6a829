// Says what the real Messages API would refuse about a request, or nothing.
import type { IncomingHttpHeaders } from 'node:http';
import { validateContext } from './context-management';
import { validateEcho, type SentReply } from './sent-replies';
import { validateEnvelope } from './validate-envelope';
import { validateMessages } from './validate-messages';
import { validatePairing } from './validate-pairing';
import { validateOutputFormat, validateStrictTools } from './validate-output-format';
import { validateThinking } from './validate-thinking';
import { validateServerTools } from './validate-server-tools';
import { validateToolReferences } from './validate-tool-references';
import { isObject, type Violation } from './violation';

export interface ValidationOptions {
  /** Only this key (x-api-key or bearer token) is right. */
  readonly expectedKey?: string | undefined;
  /** Model ids that exist; any where undefined. */
  readonly models?: readonly string[] | undefined;
  /** Accept `role: "system"` in the middle of the conversation, as newer models do. */
  readonly allowSystemRole?: boolean | undefined;
  /** Accept thinking blocks of replies that this server never sent (a session resumed against a new server). */
  readonly acceptUnknownThinking?: boolean | undefined;
  /** Kinds of blocks that this server alone knows, as a gateway has them. */
  readonly ownKinds?: readonly string[] | undefined;
}

/** The first version, and the one that version 1 of the SDK sends. */
const versions = ['2023-06-01', '2026-10-21'];

/** A refusal: the status and error type of the answer, and every violation found (none for a wrong key or model). */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly violations: readonly Violation[];
}

/** Checks the headers of any request. */
export function refuseHeaders(headers: IncomingHttpHeaders, options: ValidationOptions): Refusal | undefined {
  const version = headers['anthropic-version'];
  if (version === undefined)
    return invalid([{ rule: 'version-header', message: 'anthropic-version: header is required' }]);
  if (!versions.includes(String(version))) {
    return invalid([
      { rule: 'version-header', message: `anthropic-version: "${String(version)}" is not a valid version` },
    ]);
  }
  const key = requestKey(headers);
  if (key === undefined) {
    const message = 'x-api-key header is required';
    return { status: 401, type: 'authentication_error', message, violations: [{ rule: 'key-header', message }] };
  }
  if (options.expectedKey !== undefined && key !== options.expectedKey) {
    return { status: 401, type: 'authentication_error', message: 'invalid x-api-key', violations: [] };
  }
  return undefined;
}

/** Checks a body for POST /v1/messages, or with `countOnly` for /v1/messages/count_tokens. */
export function refuseBody(
  body: unknown,
  headers: IncomingHttpHeaders,
  sent: readonly SentReply[],
  options: ValidationOptions,
  countOnly: boolean,
): Refusal | undefined {
  if (!isObject(body)) return invalid([{ rule: 'json', message: 'The request body is not valid JSON' }]);
  const betas = String(headers['anthropic-beta'] ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');
  const violations = [
    ...validateEnvelope(body, betas, countOnly, headers['anthropic-version'] === '2023-06-01'),
    ...validateThinking(body, betas, countOnly),
    ...validateOutputFormat(body),
    ...validateStrictTools(body),
    ...validateMessages(body, options.allowSystemRole ?? false),
    ...validatePairing(body),
    ...validateServerTools(body, options.ownKinds),
    ...validateToolReferences(body),
    ...validateContext(body, betas, sent),
    ...validateEcho(body, sent, options.acceptUnknownThinking ?? false),
  ];
  if (violations.length > 0) return invalid(violations);
  if (options.models && !options.models.includes(String(body['model']))) {
    return { status: 404, type: 'not_found_error', message: `model: ${String(body['model'])}`, violations: [] };
  }
  return undefined;
}

/** The key that a request shows, from either header. */
export function requestKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
}

function invalid(violations: readonly Violation[]): Refusal {
  const message = violations[0]?.message ?? '';
  return { status: 400, type: 'invalid_request_error', message, violations };
}
