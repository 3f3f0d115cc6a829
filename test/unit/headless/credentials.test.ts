import assert from 'node:assert/strict';
import { credentialsFromEnvironment } from '../../../src/providers/credentials';

describe('credentials from the environment', () => {
  it('reads key, token, address and headers', () => {
    assert.deepEqual(
      credentialsFromEnvironment({
        ANTHROPIC_API_KEY: 'key',
        ANTHROPIC_AUTH_TOKEN: 'token',
        ANTHROPIC_BASE_URL: 'http://localhost:1234',
        ANTHROPIC_CUSTOM_HEADERS: 'X-Team: blue\nX-Route: a: b\r\n',
      }),
      {
        apiKey: 'key',
        authToken: 'token',
        baseUrl: 'http://localhost:1234',
        headers: { 'X-Team': 'blue', 'X-Route': 'a: b' },
        betas: undefined,
      },
    );
  });

  it('takes betas out of the headers, where they would replace those that Deft asks for', () => {
    const { headers, betas } = credentialsFromEnvironment({
      ANTHROPIC_CUSTOM_HEADERS: 'Anthropic-Beta: one, two\nX-Team: blue',
      ANTHROPIC_BETAS: 'three',
    });
    assert.deepEqual([headers, betas], [{ 'X-Team': 'blue' }, ['one', 'two', 'three']]);
  });

  it('takes empty and blank values for unset', () => {
    const unset = { apiKey: undefined, authToken: undefined, baseUrl: undefined, headers: undefined, betas: undefined };
    assert.deepEqual(credentialsFromEnvironment({}), unset);
    assert.deepEqual(
      credentialsFromEnvironment({
        ANTHROPIC_API_KEY: '',
        ANTHROPIC_AUTH_TOKEN: ' \n',
        ANTHROPIC_BASE_URL: '',
        ANTHROPIC_CUSTOM_HEADERS: '\n',
      }),
      unset,
    );
  });

  it('passes over lines that are no header', () => {
    const headers = (text: string) => credentialsFromEnvironment({ ANTHROPIC_CUSTOM_HEADERS: text }).headers;
    assert.equal(headers('no colon here'), undefined);
    assert.equal(headers('bad name: x'), undefined);
    assert.equal(headers('X-Empty:'), undefined);
    assert.deepEqual(headers('nonsense\nX-Good: 1'), { 'X-Good': '1' });
  });
});
