// What fills the window: by kind, estimated or counted by the API, each text once.
import assert from 'node:assert/strict';
import { versionKey } from '../../../../src/core/context/context-source';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { contextReport, countedContext } from '../../../../src/core/usage/context-report';
import { contextText } from '../../../../src/shared/usage-view';

const never = new AbortController().signal;
const envelope = { uuid: 'u', parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '0' };
let salt = 0;

function place(): { request: ModelRequest; records: SessionRecord[] } {
  const tool = (name: string, more: object = {}) => ({
    name,
    description: 'd'.repeat(350),
    input_schema: { type: 'object' },
    ...more,
  });
  const memory = `Memory ${++salt} ${'m'.repeat(700)}`;
  const skills = `Skills ${'s'.repeat(350)}`;
  return {
    request: {
      model: 'claude-opus-5',
      max_tokens: 1,
      system: [{ type: 'text', text: 'You are. '.repeat(100) }],
      tools: [tool('Read'), tool('mcp__db__query'), tool('mcp__db__hidden', { defer_loading: true })],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: memory },
            { type: 'text', text: skills },
            { type: 'text', text: 'Say arr.' },
            { type: 'text', text: 'Hello '.repeat(100) },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Yes.' },
            { type: 'tool_use', id: 't1', name: 'Read', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'r'.repeat(3_500) }] },
      ],
    },
    records: [
      {
        ...envelope,
        type: 'user',
        isMeta: true,
        contextKeys: [versionKey('memory /w/CLAUDE.md', '1'), 'skills:2', versionKey('output style', '3')],
        message: {
          role: 'user',
          content: [
            { type: 'text', text: memory },
            { type: 'text', text: skills },
            { type: 'text', text: 'Say arr.' },
          ],
        },
      },
    ],
  };
}

const can = (provider: 'anthropic' | 'bedrock') => (model: string) => capabilitiesOf(provider, model);

describe('what fills the window', () => {
  it('is estimated by kind, each thing once, without what is deferred', () => {
    const { request, records } = place();
    const report = contextReport(request, records, {
      model: { capabilities: can('anthropic'), countTokens: async () => assert.fail('counted') },
      compactsAt: 9,
    });
    assert.deepEqual(
      report.parts.map(({ name }) => name),
      [
        'Instructions',
        'Built-in tools',
        'Tools of db',
        'Memory files and rules',
        'List of skills',
        'Output style',
        'What you wrote, with attachments and reminders',
        'What Deft wrote',
        'Calls of tools',
        'Tool results',
      ],
    );
    const tokens = (name: string): number => report.parts.find((part) => part.name === name)?.tokens ?? 0;
    assert.ok(tokens('What you wrote, with attachments and reminders') < 250, 'notes are not counted twice');
    assert.ok(tokens('Tool results') >= 1_000 && tokens('Tools of db') < 150);
    assert.deepEqual([report.window, report.counted, report.compactsAt], [1_000_000, 'estimate', 9]);
    assert.match(contextText(report), /Opus 5, estimated\nInstructions\t\d+\t0\.\d%/);
  });

  it('is counted by the API on request: parts less what a lone letter takes, the whole exact, and no text twice', async () => {
    const { request, records } = place();
    const asked: ModelRequest[] = [];
    const model = {
      capabilities: can('anthropic'),
      countTokens: async (one: ModelRequest) => (
        asked.push(one),
        7 + 100 * one.system.length + 1_000 * one.tools.length + (one.messages.length === 3 ? 50_000 : 0)
      ),
    };
    const report = await countedContext(request, records, { model, compactsAt: null }, never);
    const tokens = Object.fromEntries(report.parts.map((part) => [part.name, part.tokens]));
    assert.deepEqual(
      [report.counted, report.used, tokens['Instructions'], tokens['Built-in tools'], tokens['Tools of db']],
      ['counted', 53_107, 100, 1_000, 1_000],
    );
    assert.ok(Math.abs(report.parts.reduce((sum, part) => sum + part.tokens, 0) - report.used) <= 4);
    const count = asked.length;
    await countedContext(request, records, { model, compactsAt: null }, never);
    assert.equal(asked.length, count);
  });

  it('counts the whole with the thinking and the headers that its messages need', async () => {
    const { request, records } = place();
    const asked: ModelRequest[] = [];
    const more: Partial<ModelRequest> = { thinking: { type: 'adaptive' }, betas: ['compact-2026-01-12'] };
    await countedContext(
      { ...request, ...more, speed: 'fast' },
      records,
      { model: { capabilities: can('anthropic'), countTokens: async (one) => asked.push(one) }, compactsAt: null },
      never,
    );
    assert.deepEqual(
      asked.filter((one) => one.betas !== undefined),
      [
        {
          model: request.model,
          max_tokens: 1,
          system: request.system,
          tools: request.tools,
          messages: request.messages,
          ...more,
        },
      ],
    );
  });

  it('says so where nobody counts, or where counting fails', async () => {
    const { request, records } = place();
    const failing = { capabilities: can('anthropic'), countTokens: async () => Promise.reject(new Error('down')) };
    assert.equal(
      (await countedContext(request, records, { model: failing, compactsAt: null }, never)).counted,
      'failed',
    );
    const cloud = { capabilities: can('bedrock'), countTokens: async () => assert.fail('counted') };
    assert.equal((await countedContext(request, records, { model: cloud, compactsAt: null }, never)).counted, 'cannot');
  });
});
