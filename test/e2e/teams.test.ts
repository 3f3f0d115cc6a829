// A team as a user meets it: a teammate that is idle and woken by another, the tasks they share, the view with Stop, and the lead that is called.
import assert from 'node:assert/strict';
import { type RecordedRequest } from '../support/messages-api/recorded-requests';
import { delayed, reply, type ScriptedReply, toolUse } from '../support/messages-api/script';
import { seriousProblems } from './support/accessibility';
import { openDeft, type DeftWindow } from './support/deft';
import { answers, opened } from './support/replies';

const settings = JSON.stringify({ permissions: { allow: ['Bash'] } });

describe('teams', () => {
  let deft: DeftWindow;
  before(async () => {
    // A project's file cannot turn them on.
    deft = await openDeft({
      env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
      files: { 'a.txt': 'one\n', '.claude/settings.json': settings },
    });
    await deft.reviewGrants('Agree');
  });
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  /** Replies of the lead (''), and of teammates by their tasks' first words; then they only take note. */
  function play(scripts: Readonly<Record<string, ScriptedReply[]>>): void {
    deft.api.setScript(({ body }: RecordedRequest) => {
      const said = JSON.stringify((body['messages'] as unknown[])[0]);
      const key = Object.keys(scripts).find((task) => task !== '' && said.includes(`"${task}`)) ?? '';
      return scripts[key]?.shift() ?? answers('Noted.');
    });
  }
  const teammate = (name: string, prompt: string): ReturnType<typeof toolUse> =>
    toolUse('Agent', { description: `${prompt} it`, prompt, name });

  it('share tasks, wake each other and the lead, and are stopped from the view by the keyboard', async () => {
    const gate = opened();
    play({
      '': [
        reply(toolUse('TeamCreate', { team_name: 'crew' })),
        reply(
          toolUse('TaskCreate', { subject: 'Write it', description: 'All of it' }),
          teammate('finder', 'Find'),
          teammate('writer', 'Write'),
        ),
        answers('They are at work.'),
        answers('The lead heard it.'),
      ],
      Find: [
        delayed(
          reply(toolUse('SendMessage', { to: 'writer', message: 'It is in a.txt', summary: 'Where it is' })),
          gate.promise,
        ),
        answers('Told.'),
      ],
      Write: [
        answers('I wait.'),
        reply(
          toolUse('TaskUpdate', { taskId: '1', status: 'in_progress' }),
          toolUse('SendMessage', { to: 'lead', message: 'I begin to write.' }),
        ),
        answers('Begun.'),
      ],
    });
    await deft.send('Please begin a team');
    await deft.says('They are at work.');
    await deft.send('/tasks');
    const view = deft.chat().getByRole('region', { name: 'Background work' });
    const writer = view.getByRole('listitem').filter({ hasText: 'writer: Write it' });
    await writer.getByText('Waits for messages').waitFor();
    assert.deepEqual(await seriousProblems(deft.chat()), []);
    gate.open();
    // Idle, and woken by the mail of another.
    await deft.says('finder to writer: Where it is');
    await deft.says('I begin to write.');
    await deft.says('The lead heard it.');
    const tasks = deft.chat().getByRole('region', { name: "Agent's tasks" });
    await tasks.getByRole('button', { name: 'Tasks 0/1' }).click();
    await tasks.getByText('writer', { exact: true }).waitFor();
    await deft.idle();

    await writer.getByRole('button', { name: 'Stop writer: Write it' }).focus();
    await deft.window.page.keyboard.press('Enter');
    await writer.waitFor({ state: 'detached' });
    await deft.says(/general-purpose: Write it\) was stopped\./);
    await view.getByRole('button', { name: 'Open the transcript of finder: Find it' }).click();
    await deft.window.page.locator('.tab', { hasText: /^agent-a[0-9a-f]+\.jsonl/ }).waitFor();
    await view.getByRole('button', { name: 'Stop finder: Find it' }).click();
    await view.waitFor({ state: 'detached' });
  });

  it('shows what commands print beside teammates, and stops all', async () => {
    play({
      '': [
        reply(toolUse('TeamCreate', { team_name: 'crew' })),
        reply(
          teammate('finder', 'Find'),
          toolUse('Bash', { command: 'echo compiled 7 files; sleep 600', run_in_background: true }),
        ),
        answers('Both run.'),
      ],
      Find: [delayed(answers('Never.'), new Promise(() => undefined))],
    });
    await deft.send('Please watch');
    await deft.says('Both run.');
    await deft.idle();
    await deft.send('/tasks');
    const view = deft.chat().getByRole('region', { name: 'Background work' });
    await view.getByText('compiled 7 files', { exact: true }).waitFor();
    await view.getByRole('button', { name: 'Open the output of echo compiled 7 files; sleep 600' }).click();
    await deft.window.page.getByText('compiled 7 files').last().waitFor();
    await view.getByRole('button', { name: 'Stop all' }).click();
    await view.waitFor({ state: 'detached' });
  });
});
