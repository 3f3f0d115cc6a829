// What runs alongside the conversation: side questions, a goal, a loop, the output style, the status line, and a note for the memory.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { quickPickRow } from '../rig/workbench';
import { gate, reply, text } from '../support/messages-api/script';
import { seriousProblems } from './support/accessibility';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { answers, opened } from './support/replies';

const files = {
  'src/price.js': 'export const price = 1;\n',
  '.claude/output-styles/pirate.md': '---\nname: Pirate\ndescription: Talks like one\n---\nSay arr.\n',
  '.claude/settings.local.json':
    '{ "statusLine": { "type": "command", "command": "cat > status.json; echo price is right" } }\n',
};

const small = (request: { body: Record<string, unknown> } | undefined): boolean =>
  String(request?.body['model']).includes('haiku');

describe('alongside the conversation', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files })));
  after(() => deft.close());
  beforeEach(async () => {
    await deft.newSession();
    await deft.composer().fill('');
  });

  const panel = () => deft.chat().getByRole('region', { name: 'Side questions' });
  const sent = async (n: number): Promise<string> => JSON.stringify(await deft.request(n));

  it('/btw is answered in a panel while a turn runs, may be followed up, and enters nothing', async () => {
    const answered = opened();
    deft.script(
      reply(text('Working', gate(answered.promise), ' on it.')),
      answers('It is a constant.'),
      answers('Since it never changes.'),
      answers('Two.'),
    );
    await deft.send('Raise the price');
    // The page itself says that it works, too: the side question must not be the first to ask.
    await deft.request(1);
    await deft.says('Working');
    await deft.send('/btw What is the price?');
    await panel().getByText('It is a constant.').waitFor();
    assert.deepEqual(await seriousProblems(deft.chat()), []);
    await deft.window.picture('e2e-side-questions');
    await panel().getByRole('textbox', { name: 'Another side question' }).fill('Why?');
    await panel().getByRole('textbox', { name: 'Another side question' }).press('Enter');
    await panel().getByText('Since it never changes.').waitFor();
    assert.match(await sent(3), /Raise the price.*What is the price\?.*It is a constant.*Why\?/);
    answered.open();
    await deft.says('Working on it.');
    await deft.idle();
    await panel().getByRole('button', { name: 'Close side questions' }).click();
    await panel().waitFor({ state: 'detached' });
    await deft.send('And now?');
    await deft.says('Two.');
    assert.doesNotMatch(await sent(4), /What is the price|never changes/);
    assert.equal(await deft.conversation().getByText('It is a constant.').count(), 0);
    await deft.idle();
  });

  it('/goal is shown, sends the agent back to work until it is reached, and can be taken back', async () => {
    deft.script(
      answers('Half of it.'),
      answers('{"ok": false, "reason": "The other half is missing."}'),
      answers('All of it.'),
      answers('{"ok": true, "reason": "Both halves are there."}'),
    );
    await deft.send('/goal both halves are there');
    await deft.card('The goal is reached.').waitFor({ timeout: 30_000 });
    await deft.says('All of it.');
    assert.match(await sent(3), /not reached yet: The other half is missing\./);
    assert.deepEqual(
      deft.api.requests.slice(-4).map((request) => small(request)),
      [false, true, false, true],
    );
    const goal = deft.chat().getByRole('region', { name: 'Goal' });
    await goal.waitFor({ state: 'detached' });
    await deft.idle();
    deft.script(answers('Hm.'), answers('What?'), answers('Hm again.'));
    await deft.send('/goal the moon');
    await deft.card('The goal could not be checked.').waitFor({ timeout: 30_000 });
    await goal.getByText('the moon').waitFor();
    await deft.idle();
    await goal.getByRole('button', { name: 'Clear the goal' }).click();
    await goal.waitFor({ state: 'detached' });
    await deft.send('Well?');
    await deft.says('Hm again.');
    assert.equal(deft.requests(), 3, 'nothing is checked any more');
    await deft.idle();
  });

  it('/loop sends its prompt again and again until it is stopped', async () => {
    deft.script(answers('Green.\nNEXT: 10s'), answers('Green once more.\nNEXT: 1h'));
    await deft.send('/loop Is it green?');
    await deft.says('Green once more.');
    const loop = deft.chat().getByRole('region', { name: 'Loop' });
    await loop.getByText(/^round 2, paced by the agent, next in /).waitFor();
    assert.equal(await deft.conversation().getByText('Is it green?', { exact: true }).count(), 2);
    assert.equal(await deft.conversation().getByText('This prompt is sent to you repeatedly').count(), 0);
    await loop.getByRole('button', { name: 'Stop the loop' }).click();
    await loop.waitFor({ state: 'detached' });
  });

  it("/output-style holds at once, is kept in the user's settings of the project, and gives way to deft.outputStyle", async () => {
    deft.script(answers('Plain.'), answers('Arr.'), answers('Short.'));
    await deft.send('Hello');
    await deft.says('Plain.');
    await deft.idle();
    await deft.send('/output-style');
    await quickPickRow(deft.window.page, 'Pirate').click();
    await deft.card('Output style: Pirate').waitFor();
    await deft.send('Hello again');
    await deft.says('Arr.');
    await deft.idle();
    assert.match(await sent(2), /Say arr\./);
    const [first, second] = deft.api.requests
      .slice(-2)
      .map(({ body }) => JSON.stringify([body['system'], body['tools']]));
    assert.equal(first, second, 'the prefix stays');
    assert.equal(
      (
        JSON.parse(readFileSync(path.join(deft.window.folder, '.claude/settings.local.json'), 'utf8')) as {
          outputStyle: string;
        }
      ).outputStyle,
      'Pirate',
    );
    await deft.configure({ 'deft.outputStyle': 'Concise' });
    await deft.send('And now?');
    await deft.says('Short.');
    assert.match(await sent(3), /output style \\"Concise\\"/);
    await deft.idle();
  });

  it("the status line of the project's settings runs once the user agrees, and shows what its command prints", async () => {
    const file = path.join(deft.window.folder, 'status.json');
    const item = deft.window.page.locator('.statusbar-item', { hasText: 'price is right' });
    assert.equal(existsSync(file), false, 'nothing runs unasked');
    await deft.reviewGrants('Agree');
    await item.waitFor({ timeout: 30_000 });
    deft.script(answers('Hello.'));
    await deft.send('Hello');
    await deft.says('Hello.');
    await deft.idle();
    let input: { cwd?: string; model?: { id: string }; cost?: { total_duration_ms?: number } } = {};
    await eventually(() => {
      try {
        input = JSON.parse(readFileSync(file, 'utf8')) as typeof input;
      } catch {
        // The command is writing it.
      }
      return (input.cost?.total_duration_ms ?? 0) > 0;
    }, 'The command did not run again.');
    assert.equal(input.cwd, deft.window.folder);
    assert.match(input.model?.id ?? '', /^claude-/);
  });

  it('a message that begins with "# " is noted where the user says, once they have seen it; /memory lists the file', async () => {
    deft.script();
    await deft.send('# Use tabs.');
    await quickPickRow(deft.window.page, 'Project').first().click();
    const dialog = deft.window.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add Note' }).click();
    await deft.card(/^Noted in CLAUDE\.md/).waitFor();
    assert.match(readFileSync(path.join(deft.window.folder, 'CLAUDE.md'), 'utf8'), /Use tabs\./);
    assert.equal(deft.requests(), 0);
    await deft.send('/memory');
    await quickPickRow(deft.window.page, 'CLAUDE.md').first().click();
    await deft.window.page.locator('.part.editor .tab', { hasText: 'CLAUDE.md' }).first().waitFor();
  });
});
