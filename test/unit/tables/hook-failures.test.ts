// Every way in which a hook can fail, with and without `failClosed`: what passes, and who is told. Real processes.
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HookEntry } from '../../../src/core/hooks/hook-entry';
import { type HookEvent } from '../../../src/core/ports/hook-events';
import { answering, playHooked, type Played, sayHi, specific } from '../../support/hooked-run';
import { commandHook } from '../../support/hooks';
import { reply } from '../../support/messages-api/script';

let folder: string;

type Guarded = 'PreToolUse' | 'PermissionRequest' | 'UserPromptSubmit';
/** The answer of that event that lets everything pass. */
const yes = {
  PreToolUse: { decision: 'allow' },
  PermissionRequest: specific('PermissionRequest', { decision: { behavior: 'allow' } }),
  UserPromptSubmit: { decision: 'approve' },
} satisfies Record<Guarded, object>;
const no = {
  PreToolUse: specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'No.' }),
  PermissionRequest: specific('PermissionRequest', { decision: { behavior: 'deny', message: 'No.' } }),
  UserPromptSubmit: { decision: 'block', reason: 'No.' },
} satisfies Record<Guarded, object>;

const line = (event: HookEvent, command: string, more: Partial<HookEntry> = {}): HookEntry =>
  commandHook(event, `cat >/dev/null; ${command}`, more);
const printing = (value: object): string => `echo '${JSON.stringify(value)}'`;

const failures: [name: string, hook: (event: Guarded) => HookEntry, sentence: RegExp][] = [
  ['exit code 1', (event) => line(event, 'echo Oops >&2; exit 1'), /It ended with exit code 1: Oops/],
  ['a crash', (event) => line(event, 'kill -SEGV $$'), /It was ended by SIGSEGV|exit code 139/],
  ['a command that is not there', (event) => line(event, 'no-such-command-here'), /exit code 127/],
  [
    'a program that is not there',
    (event) => ({
      ...commandHook(event, ''),
      handler: { type: 'command', command: '/no/such/program', args: ['--check'] },
    }),
    /It could not be started/,
  ],
  ['a timeout', (event) => line(event, 'sleep 600', { timeoutSeconds: 0.2 }), /It took longer than 0.2 s/],
  ['torn JSON', (event) => line(event, `echo '{"decision": "al'`), /It printed JSON that cannot be read/],
  [
    'JSON behind a line of a log',
    (event) => line(event, `echo Checking; ${printing(yes[event])}`),
    /text before its JSON/,
  ],
  ['an allow with exit code 1', (event) => line(event, `${printing(yes[event])}; exit 1`), /It ended with exit code 1/],
  ['a decision of no known word', (event) => answering(event, { decision: 'maybe' }), /`decision` must be/],
  ['output for another event', (event) => answering(event, specific('Setup', {})), /is for Setup, not for/],
];

/** The call ran, where it was guarded; the prompt reached the model, where that was. */
const passed = (event: Guarded, { ran, requests }: Played): boolean =>
  event === 'UserPromptSubmit' ? requests > 0 : ran.length > 0;
const play = (event: HookEvent, hook: HookEntry): Promise<Played> =>
  playHooked({ hooks: [hook], cwd: folder, mode: event === 'PermissionRequest' ? 'default' : 'bypassPermissions' });

describe('a hook that fails', () => {
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-hook-failures-')));
  });
  after(() => rm(folder, { recursive: true }));

  for (const event of ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'] as const) {
    for (const [name, hook, sentence] of failures) {
      it(`${event}, ${name}: told, and it decides nothing`, async () => {
        const played = await play(event, hook(event));
        assert.equal(passed(event, played), true);
        assert.match(played.told.join('\n'), sentence);
        if (event === 'PermissionRequest') assert.equal(played.asked, 1, 'the user decides');
      });

      it(`${event}, ${name}, failClosed: told, and nothing passes`, async () => {
        const played = await play(event, { ...hook(event), failClosed: true });
        assert.equal(passed(event, played), false);
        assert.equal(played.asked, 0);
        assert.match(played.told.join('\n'), sentence);
        assert.match(played.told.join('\n'), /What it guards did not happen, as its entry says \(failClosed\)/);
        assert.match(event === 'UserPromptSubmit' ? (played.end.message ?? '') : played.result, /failClosed/);
      });
    }

    it(`${event}: a no with exit code 1 is a no`, async () => {
      const played = await play(event, line(event, `${printing(no[event])}; exit 1`));
      assert.deepEqual([passed(event, played), played.told.join('\n').includes('problem')], [false, false]);
      assert.match(event === 'UserPromptSubmit' ? (played.end.message ?? '') : played.result, /No\.$/);
    });

    it(`${event}: a yes with failClosed passes`, async () => {
      assert.equal(passed(event, await play(event, answering(event, yes[event], { failClosed: true }))), true);
    });
  }

  it('an allow beside exit code 2 is a no', async () => {
    const played = await play('PreToolUse', line('PreToolUse', `${printing(yes.PreToolUse)}; echo Never. >&2; exit 2`));
    assert.deepEqual([played.ran, played.result], [[], 'Permission denied: Never.']);
  });

  it('at the end of a turn keeps nobody at work, whatever its entry says', async () => {
    const hook = line('Stop', 'exit 1', { failClosed: true });
    const played = await playHooked({
      hooks: [hook],
      cwd: folder,
      mode: 'bypassPermissions',
      script: [...sayHi, reply('Never asked for.')],
    });
    assert.deepEqual([played.requests, played.end.reason], [2, 'completed']);
    assert.match(played.told.join('\n'), /It ended with exit code 1\. Deft continued without it\./);
  });

  it('closes where two files name it and one of them says failClosed', async () => {
    const hook = line('PreToolUse', 'exit 1');
    const played = await playHooked({
      hooks: [hook, { ...hook, failClosed: true }],
      cwd: folder,
      mode: 'bypassPermissions',
    });
    assert.deepEqual([played.ran, played.told.length], [[], 1]);
  });
});
