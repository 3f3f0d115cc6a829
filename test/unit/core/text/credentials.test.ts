// Which variables count as credentials, by name and by value.
import assert from 'node:assert/strict';
import { credentialValues, withoutCredentials } from '../../../../src/core/text/credentials';

const KEY = 'sk-test-0123456789abcdef';

describe('credentials', () => {
  it('leave an environment by value too, also inside another value', () => {
    const environment = {
      ANTHROPIC_API_KEY: KEY,
      COPY_OF_KEY: KEY,
      HEADER: `x-api-key: ${KEY}\n`,
      PATH: '/bin',
      NOTHING: undefined,
    };
    assert.deepEqual(withoutCredentials(environment), { PATH: '/bin', NOTHING: undefined });
  });

  it('take nothing along that is short or no repetition', () => {
    const environment = { ANTHROPIC_API_KEY: 'short', A: 'short', ANTHROPIC_AUTH_TOKEN: '', B: KEY };
    assert.deepEqual(withoutCredentials(environment), { A: 'short', B: KEY });
  });

  it('are also the values of custom headers, without their scheme, and not those that are no secret', () => {
    const headers = `Authorization: Bearer ${KEY}\r\nX-Gateway: id-4711-gateway-entry\nX-Team: engineering-platform\nanthropic-beta: context-1m-2025-08-07\nnonsense 1`;
    const environment = {
      ANTHROPIC_CUSTOM_HEADERS: headers,
      COPY: KEY,
      BETA: 'context-1m-2025-08-07',
      TEAM: 'engineering-platform',
    };
    assert.deepEqual(credentialValues(environment), [KEY, 'id-4711-gateway-entry']);
    assert.deepEqual(withoutCredentials(environment), { BETA: 'context-1m-2025-08-07', TEAM: 'engineering-platform' });
  });
});
