// Saving and consent in a window: what Deft writes for the user needs no second consent, what others write does.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { loadSettings } from '../../../../src/core/settings/load-settings';
import { settingsNotices } from '../../../../src/vscode/window/settings-notices';
import { createAgreements } from '../../../../src/vscode/session/agreements';
import { createSettingsStore } from '../../../../src/core/settings/settings-store';
import { targetOf } from '../../../../src/core/settings/settings-target';
import { createMemoryFiles } from '../../../support/memory-files';

const file = '/main/.claude/settings.local.json';

function memento() {
  const kept = new Map<string, unknown>();
  return {
    get: <Value>(key: string) => kept.get(key) as Value | undefined,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as Parameters<typeof createAgreements>[0];
}

function world(text?: string) {
  const files = createMemoryFiles({ '/main/a': '', ...defined({ [file]: text }) });
  const agreements = createAgreements(memento());
  let reloads = 0;
  const project = { folder: '/wt', checkout: '/wt', mainCheckout: '/main' };
  const store = createSettingsStore({
    files,
    target: (destination) =>
      targetOf(destination, project, [
        { source: 'userSettings', file: '/home/u/.claude/settings.json', root: '/home/u/.claude', home: '/home/u' },
      ]),
    consent: (grants) => agreements.answer(grants, true),
    reload: async () => void reloads++,
    locked: () => false,
  });
  const load = () =>
    loadSettings([{ file, source: 'localSettings', root: '/main', home: '/home/u', text: files.text(file) ?? '' }], {
      trusted: true,
      agreed: agreements.agreed,
      projectSetsMode: false,
    });
  return { files, agreements, store, load, reloads: () => reloads };
}

const allow = (...contents: string[]) => ({
  type: 'addRules' as const,
  behavior: 'allow' as const,
  rules: contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent })),
  destination: 'localSettings' as const,
});

describe('saved permissions of a window', () => {
  it('go to the main checkout, and hold without a second question', async () => {
    const { store, load, reloads } = world();
    assert.deepEqual(await store.save(allow('npm test', 'a (b) *')), { saved: true });
    const { rules, pending } = load();
    assert.deepEqual([rules.length, pending, reloads()], [2, [], 1]);
  });

  it('leave what others wrote into the same file to the user', async () => {
    const { store, load, agreements } = world('{"permissions":{"allow":["Bash(curl:*)"]}}');
    await store.save(allow('npm test'));
    const before = load();
    assert.deepEqual(
      before.pending.map(({ text }) => text),
      ['allow Bash(curl:*)'],
    );
    assert.equal(before.rules.length, 1);
    await agreements.answer(before.pending, false);
    assert.ok(before.pending.every((grant) => agreements.declined(grant) && !agreements.agreed(grant)));
    await agreements.answer(before.pending, true);
    assert.deepEqual([load().pending, load().rules.length], [[], 2]);
    assert.ok(
      before.pending.every((grant) => !agreements.declined(grant) && !agreements.agreed({ ...grant, root: '/other' })),
      'in this folder alone',
    );
  });

  it('several at the same time lose none', async () => {
    const { store, load } = world();
    const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((one) => store.save(allow(one))));
    assert.ok(outcomes.every(({ saved }) => saved));
    assert.equal(load().rules.length, 6);
  });

  it('are refused where the file is broken, which then stays as it is', async () => {
    const { store, files, reloads } = world('{"permissions":');
    const outcome = await store.save(allow('a'));
    assert.match(outcome.saved ? '' : outcome.message, /was not changed: it is not valid JSON/);
    assert.deepEqual([files.text(file), reloads()], ['{"permissions":', 0]);
  });

  it('have a file for each destination', () => {
    const project = { folder: '/wt/sub', checkout: '/wt', mainCheckout: '/main' };
    assert.deepEqual(targetOf('localSettings', project, []), { file, inside: '/main' });
    assert.deepEqual(targetOf('projectSettings', project, []), { file: '/wt/.claude/settings.json', inside: '/wt' });
    assert.deepEqual(
      [
        targetOf('localSettings', undefined, []),
        targetOf('session', project, []),
        targetOf('userSettings', project, []),
      ],
      [undefined, undefined, undefined],
    );
  });
});

describe('notices of settings files', () => {
  it('name file, line and column, and open the file at what breaks it', () => {
    const text = '{"env":{"A":[]},\n "permissions": {"deny": 1}}';
    const { problems } = loadSettings([{ file, source: 'userSettings', root: '/', home: '/', text }], {
      trusted: true,
      projectSetsMode: false,
    });
    const [notice, ...others] = settingsNotices(problems, []);
    assert.deepEqual(others, []);
    assert.equal(notice?.title, 'A settings file cannot be read.');
    assert.match(
      notice?.detail ?? '',
      /^\/main\/\.claude\/settings\.local\.json:2:26: `permissions\.deny` must be a list\.\n.*:1:13: `env\.A`/,
    );
    assert.deepEqual(notice?.action, { label: 'Open line 2', open: { path: file, line: 2, column: 26 } });
    const [mild] = settingsNotices(
      problems.filter(({ broken }) => !broken),
      [],
    );
    assert.deepEqual([mild?.level, mild?.detail.includes('asks first')], ['warning', false]);
  });

  it('list what a project would allow', () => {
    const grants = ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => ({ root: '/', file, text: `allow Bash(${one})` }));
    const [notice] = settingsNotices([], grants);
    assert.match(notice?.detail ?? '', /allow Bash\(a\) · .*allow Bash\(d\) · 2 more$/);
    assert.deepEqual(notice?.action, { label: 'Review', command: 'reviewProjectSettings' });
    assert.deepEqual(settingsNotices([], []), []);
  });
});
