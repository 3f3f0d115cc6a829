// What tools return holds no known credential and no control character once it is kept or shown.
import assert from 'node:assert/strict';
import { redactBlock, redactText, redactValue } from '../../../../src/core/text/redact';
import { redactProgress } from '../../../../src/core/calls/redact-result';
import { isShownWhole } from '../../../../src/core/edits/number-lines';
import { type ToolResultContent } from '../../../../src/core/wire/wire';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { fakeTool, said } from '../../../support/fake-tools';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const KEY = 'sk-test-0123456789abcdef';
const secrets = [KEY];
const block = (content: string | ToolResultContent[]) => ({ type: 'tool_result' as const, tool_use_id: 't', content });

describe('redactText', () => {
  it('replaces every occurrence, the longest secret first, and leaves short values alone', () => {
    assert.equal(redactText(`a ${KEY}${KEY} b`, secrets), 'a [redacted][redacted] b');
    assert.equal(redactText(`${KEY}-more`, [KEY, `${KEY}-more`]), '[redacted]');
    assert.equal(
      redactText('elevenchars and twelve-chars', ['elevenchars', 'twelve-chars', '']),
      'elevenchars and [redacted]',
    );
  });
});

describe('redactValue', () => {
  it('goes through lists and objects, keys too', () => {
    const value = { a: [`x ${KEY}`, { [KEY]: 1 }], b: null, c: 2 };
    assert.deepEqual(redactValue(value, secrets), { a: ['x [redacted]', { '[redacted]': 1 }], b: null, c: 2 });
  });

  it('returns what holds no secret as it is', () => {
    const value = { a: ['x', new Uint8Array(2)], b: undefined };
    assert.equal(redactValue(value, secrets), value);
    assert.equal(redactValue(value, []), value);
  });
});

describe('redactBlock', () => {
  it('cleans text parts and leaves images', () => {
    const image: ToolResultContent = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
    };
    const cleaned = redactBlock(block([{ type: 'text', text: `\0${KEY}` }, image]), secrets);
    assert.deepEqual(cleaned.content, [{ type: 'text', text: '\\x00[redacted]' }, image]);
  });

  it('changes just the characters of a line for which Write counts it as unseen', () => {
    for (let code = 0; code < 0x100; code++) {
      const character = String.fromCharCode(code);
      if (character === '\n' || character === '\r') continue;
      assert.equal(redactBlock(block(character), []).content === character, isShownWhole(character), String(code));
    }
  });

  it('writes control characters out, except tab, line ends and escape', () => {
    assert.equal(redactBlock(block('a\0b\x07\x08\x0b\x0c\x1f'), []).content, 'a\\x00b\\x07\\x08\\x0b\\x0c\\x1f');
    const kept = 'a\tb\r\n\x1b[31mred\x1b[0m \u00e9';
    assert.equal(redactBlock(block(kept), []).content, kept);
  });
});

describe('redactProgress', () => {
  const tail = (text: string): string => {
    const progress = redactProgress({ kind: 'command', progress: { tail: text, bytes: 1, durationMs: 1 } }, secrets);
    return progress.kind === 'command' ? progress.progress.tail : '';
  };

  it('also takes out a secret that an edge of the tail cuts', () => {
    assert.equal(tail(`a ${KEY} b`), 'a [redacted] b');
    assert.equal(tail(`${KEY.slice(5)} b`), '[redacted] b');
    assert.equal(tail(`a ${KEY.slice(0, -1)}`), 'a [redacted]');
    assert.equal(tail('cdef, a short end, sk-test'), 'cdef, a short end, sk-test');
  });
});

describe('a session that knows its secrets', () => {
  const tools: Record<string, AnyTool> = {
    'text and structured output': fakeTool('Act', { call: async () => said(`key: ${KEY}`) }),
    'large output': fakeTool('Act', {
      maxResultSizeChars: 2_100,
      call: async () => said(`${'x'.repeat(1_990)}${KEY}${'y'.repeat(9_000)}`),
    }),
    failure: fakeTool('Act', {
      call: async () => ({ failure: { code: 'x', message: `${'x'.repeat(4_930)}${KEY}${'y'.repeat(9_000)}` } }),
    }),
    'a throw': fakeTool('Act', { call: () => Promise.reject(new Error(`No ${KEY}`)) }),
    'what validateInput says': fakeTool('Act', {
      validateInput: async () => ({ ok: false, code: 'x', message: `No ${KEY}` }),
    }),
    progress: fakeTool('Act', {
      call: async (_input, { onProgress }) => {
        onProgress({ kind: 'command', progress: { tail: KEY, bytes: 1, durationMs: 1 } });
        onProgress({ kind: 'text', text: KEY });
        return said('[redacted]');
      },
    }),
  };
  for (const [name, tool] of Object.entries(tools)) {
    it(`keeps them out of log, events and requests: ${name}`, async () => {
      const model = createScriptedModel([reply(toolUse('Act', {})), reply('Done.')]);
      const harness = createHarness({ model, tools: [tool], session: { secrets: () => secrets } });
      await harness.run('Go');
      const everything = JSON.stringify([
        harness.lines,
        harness.events,
        model.requests[1]?.messages,
        harness.files.all(),
      ]);
      assert.ok(everything.includes('[redac'), everything);
      // Neither the whole nor a half that a cut left over.
      for (const part of [KEY.slice(0, 12), KEY.slice(-12)]) assert.ok(!everything.includes(part), everything);
    });
  }
});
