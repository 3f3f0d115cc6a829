// Prompts: each built-in tool has one of its own, it is short, and it says nothing that is not so.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { environmentReminder } from '../../../../src/core/text/environment-reminder';
import { offeredText } from '../../../../src/core/text/words';
import { getAllBaseTools } from '../../../../src/core/tools/registry';

const context = { toolNames: getAllBaseTools().map(({ name }) => name), platform: 'linux', shell: 'bash' };
const systemPrompt = offeredText(readFileSync('src/core/session/system-prompt.md', 'utf8'), () => true);

describe('prompts', () => {
  for (const tool of getAllBaseTools()) {
    it(`${tool.name}: short, final, the same every time`, async () => {
      const prompt = await tool.prompt(context);
      assert.equal(prompt, await tool.prompt(context));
      assert.ok(prompt.length > 100 && prompt.length < 6_000, `${prompt.length} characters`);
      assert.ok(!/[{}]\w*[{}]|TODO|undefined|\[object/.test(prompt), 'nothing is left to fill in');
      assert.ok(!/\t| +\n/.test(prompt), 'no stray white space');
    });
  }

  it('tell to call independent tools together and to chain dependent steps (S5)', () => {
    assert.match(systemPrompt, /calls together in one reply where none needs the result of another/);
    assert.match(systemPrompt, /`&&`/);
  });

  it('name only tools that there are', () => {
    const known = new Set(context.toolNames);
    const named = [...systemPrompt.matchAll(/\b(?:Use|use) ((?:[A-Z][a-zA-Z]+(?:, | and )?)+) (?:for|to)\b/g)].flatMap(
      (match) => (match[1] ?? '').split(/, | and /),
    );
    assert.ok(named.length > 3);
    for (const name of named) assert.ok(known.has(name), name);
  });
});

describe('environmentReminder', () => {
  const base = { cwd: '/w', folders: ['/w'], platform: 'linux', shell: 'bash', date: '2026-11-21' };
  it('tells where Deft runs', () => {
    assert.equal(
      environmentReminder(base),
      '<system-reminder>\nWorking directory: /w\nPlatform: linux; shell: bash\nDate: 2026-11-21\n</system-reminder>',
    );
    assert.match(
      environmentReminder({ ...base, folders: ['/w', '/v'], gitBranch: 'main' }),
      /Workspace folders: \/w, \/v\n.*Git branch at the start: main/s,
    );
    assert.match(environmentReminder({ ...base, folders: [] }), /No folder is open/);
  });
});
