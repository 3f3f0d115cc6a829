// What the SDK's query offers while it runs, by the SDK itself: each answer and each effect, not that nothing failed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { headlessBundle, type HeadlessPlace } from '../support/headless-run';
import { withHeadlessPlace } from '../support/headless-suite';
import { reply, text, thinking, toolUse } from '../support/messages-api/script';
import { type MessagesApi } from '../support/messages-api/server';
import { installPrograms, programFile } from './programs';

interface Told {
  answers: Record<string, unknown> & {
    first: Result;
    second: Result;
    third: Result;
    account: unknown;
    dry: { canRewind: boolean; filesChanged: string[] };
  };
  heard: { hooks: unknown[]; asked: string[]; stderr: string };
  kinds: string[];
}
interface Result {
  subtype: string;
  result?: string;
  is_error: boolean;
  terminal_reason: string;
}

describe('the requests of the agent SDK', function () {
  this.timeout(240_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  before(() => void installPrograms());
  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('each do what they say', async () => {
    const written = path.join(place.workspace, 'new.txt');
    const forever = new Promise<void>(() => undefined);
    server.setScript([
      reply(
        thinking('Both.', 'c2lnbmF0dXJl'),
        toolUse('Write', { file_path: written, content: 'x\n' }),
        toolUse('mcp__calc__add', { a: 2, b: 3 }),
      ),
      reply('Written.'),
      reply(thinking('Once more.', 'c2lnbmF0dXJl'), toolUse('Write', { file_path: written, content: 'y\n' })),
      reply('Again.'),
      reply(text('Be', { kind: 'gate', until: forever }, 'gun.')),
    ]);
    const end = await place.run([await headlessBundle(), written], {
      url: server.url,
      script: programFile('sdk-requests.mjs'),
    });
    assert.equal(end.code, 0, end.stderr);
    const { answers, heard, kinds } = JSON.parse(end.stdout) as Told;
    const body = (at: number): Record<string, unknown> => server.requests[at]?.body ?? {};

    for (const name of ['compact', 'clear', 'context']) assert.ok((answers['commands'] as string[]).includes(name));
    assert.ok((answers['models'] as number) > 3);
    assert.ok((answers['agents'] as string[]).includes('rev'));
    assert.deepEqual(answers.account, { apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' });

    assert.match(JSON.stringify(body(0)['system']), /You are Deft[\s\S]*And be brief\./);
    const tools = (body(0)['tools'] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(
      ['Bash', 'WebFetch', 'Write'].map((name) => tools.includes(name)),
      [false, false, true],
    );
    assert.match(JSON.stringify(body(1)['messages']), /"content":"5"/);
    assert.deepEqual(heard.asked, ['Write', 'mcp__calc__add'], 'the second Write is accepted by the mode');
    assert.deepEqual(heard.hooks, [
      ['PostToolUse', 'Write'],
      ['PostToolUse', 'Write'],
    ]);
    assert.deepEqual([answers.first.subtype, answers.first.result], ['success', 'Written.']);
    assert.deepEqual(answers['servers'], [['calc', 'connected']]);
    assert.ok((answers['context'] as number) >= 200_000);

    assert.deepEqual([answers.dry.canRewind, answers.dry.filesChanged], [true, [written]]);
    assert.deepEqual([answers['there'], answers['rewound'], answers['gone']], [true, true, true]);

    assert.match(String(body(2)['model']), /haiku/);
    assert.equal((body(2)['thinking'] as { budget_tokens?: number }).budget_tokens, 2000);
    assert.match(String(answers['flags']), /not hooks: .*Nothing was changed/);
    assert.notEqual(answers['bypass'], 'accepted');
    assert.equal(answers.second.result, 'Again.');
    assert.equal(readFileSync(written, 'utf8'), 'y\n');
    assert.deepEqual((answers['set'] as { removed: string[] }).removed, ['calc']);
    assert.deepEqual(answers['serversLater'], []);

    assert.deepEqual([answers.third.subtype, answers.third.terminal_reason], ['error_during_execution', 'interrupted']);
    assert.equal(kinds.filter((kind) => ['success', 'error_during_execution'].includes(kind)).length, 3);
    assert.match(heard.stderr, /^deft: The run was interrupted\.\n.*\n$/);
  });
});
