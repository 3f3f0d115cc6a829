// Folders that come into the workspace and leave it while a session is open: the model, the tools, hooks and checkpoints know of them.
import assert from 'node:assert/strict';
import { type SessionCheckpoints } from '../../../../src/core/ports/checkpoints';
import { reply, toolUse } from '../../../support/messages-api/script';
import { fakeTool } from '../../../support/fake-tools';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

describe('a session whose workspace gets other folders', () => {
  const jsonOf = (message: unknown): string => JSON.stringify(message);

  it('tells the model with the next request which there are now, and the tools see them', async () => {
    const seen: string[][] = [];
    const look = fakeTool('Look', {
      call: async (_input, { session }) => (seen.push([...session.folders]), { data: { said: 'seen' } }),
    });
    const model = createScriptedModel([
      reply(toolUse('Look', {})),
      reply('One.'),
      reply(toolUse('Look', {})),
      reply('Two.'),
      reply('Three.'),
    ]);
    const { session, run } = createHarness({ model, tools: [look] });
    await run('a');
    await session.folders.changed(['/w', '/lib']);
    await run('b');
    await session.folders.changed(['/w']);
    await run('c');
    assert.deepEqual(seen, [['/w'], ['/w', '/lib']]);
    assert.deepEqual(session.surroundings.folders, ['/w']);
    assert.match(
      jsonOf(model.requests[2]?.messages.slice(-2)),
      /added to the workspace: \/lib\..*Workspace folders now: \/w, \/lib/,
    );
    assert.match(
      jsonOf(model.requests[4]?.messages.slice(-2)),
      /removed from the workspace: \/lib\..*Workspace folders now: \/w\\n/,
    );
    assert.deepEqual(model.violations, []);
  });

  it('tells of them once, with the first prompt, where nothing was said before', async () => {
    const model = createScriptedModel([reply('One.')]);
    const { session, run } = createHarness({ model });
    await session.folders.changed(['/w', '/lib']);
    await run('a');
    const first = jsonOf(model.requests[0]?.messages);
    assert.match(first, /Workspace folders: \/w, \/lib/);
    assert.doesNotMatch(first, /added to the workspace/);
  });

  it('says nothing where the folders are the same', async () => {
    const model = createScriptedModel([reply('One.'), reply('Two.')]);
    const { session, run, stored } = createHarness({ model });
    await run('a');
    const before = stored().length;
    await session.folders.changed(['/w']);
    await run('b');
    assert.doesNotMatch(jsonOf(stored().slice(before)), /Workspace folders now/);
  });

  it('lets hooks and checkpoints hear of them, and leaves alone what it was opened with', async () => {
    const heard: Record<string, unknown>[] = [];
    const followed: (readonly string[])[] = [];
    const checkpoints: Partial<SessionCheckpoints> = {
      prompt: () => undefined,
      follow: (folders) => void followed.push(folders),
    };
    const environment = { cwd: '/w', folders: ['/w', '/old'], platform: 'linux', shell: 'bash', date: '2026-11-21' };
    const { session } = createHarness({
      model: createScriptedModel([]),
      ports: { hooks: scriptedHooks((_hook, input) => void heard.push(input)) },
      session: {
        environment,
        checkpoints: checkpoints as SessionCheckpoints,
        hooks: () => ({ active: [commandHook('DirectoryAdded', 'note')] }),
      },
    });
    await session.folders.changed(['/w', '/lib']);
    assert.deepEqual(
      heard.map((input) => [input['hook_event_name'], input['directory'], input['source']]),
      [['DirectoryAdded', '/lib', 'register_repo_root']],
    );
    assert.deepEqual([followed, environment.folders], [[['/w', '/lib']], ['/w', '/old']]);
  });
});
