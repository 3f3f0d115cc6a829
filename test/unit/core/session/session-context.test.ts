// Context sources: sent once before a prompt, again when changed or compacted away, and after calls that touched their files.
import assert from 'node:assert/strict';
import { type ContextSource } from '../../../../src/core/context/context-source';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createMemoryFiles } from '../../../support/memory-files';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';
import { readTool } from '../../../../src/core/tools/read/read';
import { featureOf } from '../../../support/feature-of';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';

const never = new AbortController().signal;
const count = (request: ModelRequest | undefined, text: string): number =>
  JSON.stringify(request?.messages).split(text).length - 1;

describe('context sources', () => {
  let memory = 'Use tabs.';
  const source: ContextSource = {
    present: async () => [{ key: `memory:${memory}`, text: memory }],
    touched: async (paths) =>
      paths.filter((path) => path.endsWith('.css')).map((path) => ({ key: `of:${path}`, text: `Belongs to ${path}.` })),
  };
  const start = (
    script: Parameters<typeof createScriptedModel>[0],
    more: Parameters<typeof createHarness>[0]['records'] = [],
  ) => {
    const model = createScriptedModel(script);
    const files = createMemoryFiles({ '/w/a.css': 'a {}\n', '/w/b.ts': 'b\n' });
    return {
      model,
      harness: createHarness({ model, files, tools: [readTool], records: more, session: { contextSources: [source] } }),
    };
  };
  beforeEach(() => void (memory = 'Use tabs.'));

  it('are told in front of the first prompt behind the environment of a session, and once', async () => {
    const { model, harness } = start([reply('One.'), reply('Two.')]);
    await harness.run('First');
    await harness.run('Second');
    assert.deepEqual(
      model.requests.map((request) => [count(request, 'Use tabs.'), count(request, 'Working directory:')]),
      [
        [1, 1],
        [1, 1],
      ],
    );
    assert.deepEqual(model.violations, []);
  });

  it('are told again where they have changed, and not after a resume where they have not', async () => {
    const { harness } = start([reply('One.')]);
    await harness.run('First');
    const again = start([reply('Two.'), reply('Three.')], harness.stored());
    await again.harness.run('Second');
    memory = 'Use spaces.';
    await again.harness.run('Third');
    assert.deepEqual(
      again.model.requests.map((request) => [count(request, 'Use tabs.'), count(request, 'Use spaces.')]),
      [
        [1, 0],
        [1, 1],
      ],
    );
  });

  it('are looked at again in a turn that goes on without a prompt', async () => {
    const { model, harness } = start([reply('One.'), reply('Two.')]);
    await harness.run('First');
    memory = 'Use spaces.';
    assert.equal((await harness.session.run(undefined, never)).reason, 'completed');
    assert.deepEqual(
      model.requests.map((request) => count(request, 'Use spaces.')),
      [0, 1],
    );
    assert.deepEqual(model.violations, []);
  });

  it('tell what belongs to files that calls have read, behind the results, once', async () => {
    const read = (path: string) => reply(toolUse('Read', { file_path: path }));
    const { model, harness } = start([read('/w/b.ts'), read('/w/a.css'), read('/w/a.css'), reply('Done.')]);
    await harness.run('Look');
    assert.deepEqual(
      model.requests.map((request) => count(request, 'Belongs to /w/a.css.')),
      [0, 0, 1, 1],
    );
    assert.deepEqual(model.violations, []);
  });

  it('stand in the text that replaces a compacted conversation, and are not told twice', async () => {
    const { model, harness } = start([reply('word '.repeat(8_000)), reply('Sum of it.'), reply('Two.')]);
    await harness.run('First');
    assert.equal((await featureOf(harness.session, compaction).byHand('', never)).kind, 'compacted');
    await harness.run('Second');
    assert.equal(count(model.requests.at(-1), 'Use tabs.'), 1);
    assert.equal(count(model.requests.at(-1), 'Still in force'), 1);
  });
});
