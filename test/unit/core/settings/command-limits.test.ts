// The user's own limits of commands: which values count, which one wins, and that Bash keeps to them.
import assert from 'node:assert/strict';
import { bashOutput } from '../../../../src/core/tools/bash/bash-output';
import { commandLimits } from '../../../../src/core/settings/command-limits';
import { getAllBaseTools, withCommandLimits } from '../../../../src/core/tools/registry';
import { webFetchTool } from '../../../../src/core/tools/web/web-fetch';
import { reply } from '../../../support/messages-api/script';
import { page, webContext } from '../tools/web/web-context';

describe('limits of commands', () => {
  const table: [situation: string, layers: Record<string, string>[], limits: object, problems: RegExp[]][] = [
    ['nothing set', [{}, {}], {}, []],
    ['empty is not set', [{ BASH_MAX_TIMEOUT_MS: ' ' }], {}, []],
    [
      'all three',
      [{ BASH_DEFAULT_TIMEOUT_MS: '5', BASH_MAX_TIMEOUT_MS: ' 6 ', BASH_MAX_OUTPUT_LENGTH: '7' }],
      { defaultTimeoutMs: 5, maxTimeoutMs: 6, maxOutputLength: 7 },
      [],
    ],
    [
      'settings over the environment',
      [{ BASH_MAX_TIMEOUT_MS: '1', BASH_DEFAULT_TIMEOUT_MS: '2' }, { BASH_MAX_TIMEOUT_MS: '3' }],
      { defaultTimeoutMs: 2, maxTimeoutMs: 3 },
      [],
    ],
    [
      'an empty setting leaves the environment',
      [{ BASH_MAX_TIMEOUT_MS: '1' }, { BASH_MAX_TIMEOUT_MS: '' }],
      { maxTimeoutMs: 1 },
      [],
    ],
    ['no more than fits', [{ BASH_MAX_OUTPUT_LENGTH: '999999999' }], { maxOutputLength: 150_000 }, []],
    [
      'no cache of pages',
      [{ DEFT_WEB_FETCH_CACHE_MS: '60000' }, { DEFT_WEB_FETCH_CACHE_MS: '0' }],
      { webCacheMs: 0 },
      [],
    ],
    [
      'a cache of pages in words',
      [{ DEFT_WEB_FETCH_CACHE_MS: '1h' }],
      {},
      [/^DEFT_WEB_FETCH_CACHE_MS takes a whole number from 0, not "1h"\.$/],
    ],
    [
      'no number',
      [{ BASH_DEFAULT_TIMEOUT_MS: 'soon' }, {}],
      {},
      [/^BASH_DEFAULT_TIMEOUT_MS takes a whole number from 1, not "soon"\.$/],
    ],
    [
      'zero, a sign, a fraction',
      [{ BASH_DEFAULT_TIMEOUT_MS: '0', BASH_MAX_TIMEOUT_MS: '-1', BASH_MAX_OUTPUT_LENGTH: '1.5' }],
      {},
      [/DEFAULT.*"0"/, /MAX_TIMEOUT.*"-1"/, /OUTPUT.*"1\.5"/],
    ],
  ];
  for (const [situation, layers, limits, problems] of table) {
    it(situation, () => {
      const found = commandLimits(...layers);
      assert.deepEqual(found.limits, limits);
      assert.equal(found.problems.length, problems.length);
      problems.forEach((problem, index) => assert.match(found.problems[index] ?? '', problem));
    });
  }

  it('reach Bash and change no other tool', () => {
    const before = getAllBaseTools();
    const after = withCommandLimits(before, { maxOutputLength: 1_000 });
    const changed = after
      .filter((tool, index) => tool !== before[index])
      .map(({ name, maxResultSizeChars }) => [name, maxResultSizeChars]);
    assert.deepEqual(
      changed.filter(([name]) => name === 'Bash'),
      // The output is cut by the tool; its notes come on top.
      [['Bash', 11_000]],
    );
    assert.ok(changed.every(([name]) => name === 'Bash' || name === 'PowerShell'));
  });

  it('say how long WebFetch keeps a page', async () => {
    const url = 'https://example.com/';
    for (const [limits, requests] of [
      [{}, 1],
      [{ webCacheMs: 0 }, 3],
      [{ webCacheMs: 60_000 }, 2],
    ] as const) {
      const [fetch] = withCommandLimits([webFetchTool], { webCacheMs: 15 * 60_000, ...limits });
      assert.ok(fetch);
      const { context, asked, clock } = webContext({
        pages: { [url]: page('hello') },
        model: ['a', 'b', 'c'].map((text) => reply(text)),
      });
      for (const wait of [0, 30_000, 61_000]) {
        clock.advance(wait);
        await fetch.call({ url, prompt: 'What is it?' }, context);
      }
      assert.equal(asked.length, requests, JSON.stringify(limits));
    }
  });

  it('cut the text of a failure, too', () => {
    const [bash] = withCommandLimits(
      getAllBaseTools().filter(({ name }) => name === 'Bash'),
      { maxOutputLength: 100 },
    );
    assert.ok(bash);
    const failed = bashOutput(
      1,
      {
        end: { state: 'exited', code: 2 },
        output: 'y'.repeat(5_000),
        omittedBytes: 0,
        totalBytes: 5_000,
        incomplete: false,
        outputPath: '/o',
        cwd: '/',
        durationMs: 1,
        survivors: [],
        notes: [],
      },
      [],
      () => undefined,
    );
    assert.match(
      String(bash.mapToolResultToToolResultBlockParam(failed, 't').content),
      /^Exit code 2\ny{33}\n\n\.\.\. \[4901 characters left out here; all 5KB of it are in \/o: use Read or Grep\] \.\.\.\n\ny{66}$/,
    );
  });
});
