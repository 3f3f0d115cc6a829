// What VS Code's models fail with, as the user reads it.
import assert from 'node:assert/strict';
import { type ModelErrorKind } from '../../../../src/core/text/errors';
import { noChatModel, toChatModelError } from '../../../../src/vscode/model/chat-model-errors';

class LanguageModelError extends Error {
  override name = 'LanguageModelError';
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const named = (name: string, message = ''): Error => Object.assign(new Error(message), { name });

const table: [what: string, error: unknown, kind: ModelErrorKind, retryable: boolean, sentence: RegExp][] = [
  [
    'no consent',
    new LanguageModelError('', 'NoPermissions'),
    'invalid_request',
    false,
    /^Deft may not use GPT yet\. Send the message again and allow it/,
  ],
  [
    'a policy',
    new LanguageModelError('blocked', 'Blocked'),
    'spend_limit',
    false,
    /blocks Deft from using GPT: .* VS Code says: blocked$/,
  ],
  [
    'a model that is gone',
    new LanguageModelError('', 'NotFound'),
    'not_found',
    false,
    /no longer offers GPT\. Pick another one/,
  ],
  ['a used up plan, by its name', named('ChatQuotaExceeded', 'No more.'), 'spend_limit', false, /is used up/],
  [
    'a used up plan, by its words',
    new LanguageModelError('x', 'Unknown', { cause: new Error('You have exceeded your premium request allowance') }),
    'spend_limit',
    false,
    /is used up/,
  ],
  ['a rate limit', named('ChatRateLimited'), 'rate_limit', true, /too many requests in a short time/],
  [
    'a rate limit, by its words',
    new Error('HTTP 429 Too Many Requests'),
    'rate_limit',
    true,
    /too many requests in a short time/,
  ],
  [
    'too many tokens',
    new Error('Request failed: prompt token count of 130000 exceeds the limit of 128000'),
    'too_large',
    false,
    /too large for GPT/,
  ],
  [
    'too long',
    new Error("This model's maximum context length is 8192 tokens."),
    'too_large',
    false,
    /too large for GPT/,
  ],
  ['a server', new Error('Server error: 502'), 'server', true, /could not be reached/],
  [
    'no connection',
    new Error('net', {
      cause: Object.assign(new Error('getaddrinfo ENOTFOUND api.example.org'), { code: 'ENOTFOUND' }),
    }),
    'server',
    true,
    /could not be reached/,
  ],
  ['anything else', new Error('Odd.'), 'server', false, /^GPT did not answer\. VS Code says: Odd\.$/],
  ['what is no error', 'odd', 'server', false, /did not answer\. VS Code says: odd$/],
];

describe('failures of VS Code’s models', () => {
  for (const [what, error, kind, retryable, sentence] of table) {
    it(`are told: ${what}`, () => {
      const made = toChatModelError(error, 'GPT');
      assert.deepEqual([made.details.kind, made.retryable, made.audience], [kind, retryable, 'user']);
      assert.match(made.message, sentence);
    });
  }

  it('stay what they are where they were told already', () => {
    const error = noChatModel();
    assert.equal(toChatModelError(error, 'GPT'), error);
  });
});
