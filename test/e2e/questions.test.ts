// Questions of the agent and its list of tasks: answered by mouse and by keyboard alone, in words, dismissed, and over a reload.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Theme } from '../rig/settings';
import { resizeSideBar } from '../rig/workbench';
import { reply, text, toolUse, type Reply } from '../support/messages-api/script';
import { seriousProblems } from './support/accessibility';
import { eventually, lastText, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';
import { lookedAt } from './support/window';

const database = {
  question: 'Which database should the server use?',
  header: 'Database',
  options: [
    { label: 'PostgreSQL (Recommended)', description: 'A server of its own; many writers at once.' },
    { label: 'SQLite', description: 'One file beside the program; nothing to install.' },
  ],
};
const formats = {
  question: 'Which formats should the export know?',
  header: 'Formats',
  multiSelect: true,
  options: [
    { label: 'CSV', description: 'For spreadsheets.' },
    { label: 'JSON', description: 'For other programs.' },
    { label: 'PDF', description: 'For print.' },
  ],
};
const layout = {
  question: 'How should the page be laid out?',
  header: 'Layout',
  options: [
    {
      label: 'Side bar',
      description: 'The list stays in view.',
      preview: '+------+-------------+\n| list | detail      |\n+------+-------------+',
    },
    {
      label: 'Tabs',
      description: 'More room for each part.',
      preview: 'Tabs on **top**:\n\n```ts\nopenTabs({ position: "top" });\n```',
    },
  ],
};

const asks = (...questions: object[]): Reply => reply(toolUse('AskUserQuestion', { questions }));
const todo = (content: string, activeForm: string, status: string) => ({ content, activeForm, status });
const tasks = [
  todo('Find the parser', 'Finding the parser', 'completed'),
  todo('Write a test that fails', 'Writing a test that fails', 'completed'),
  todo('Mend the date parser for leap years', 'Mending the date parser for leap years', 'in_progress'),
  todo('Run all tests', 'Running all tests', 'pending'),
  todo('Tell what was done', 'Telling what was done', 'pending'),
];

const madeTasks = tasks.map(({ content, activeForm }) =>
  toolUse('TaskCreate', { subject: content, description: '', activeForm }),
);
/** Those whose state is not that of a new one. */
const setTasks = tasks.flatMap(({ status }, index) =>
  status === 'pending' ? [] : [toolUse('TaskUpdate', { taskId: String(index + 1), status })],
);

describe('questions of the agent', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n' } })));
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  const group = (name: string | RegExp): Locator =>
    deft.chat().getByRole('group', { name: typeof name === 'string' ? `Question: ${name}` : name, exact: true });
  const radio = (name: string): Locator => deft.chat().getByRole('radio', { name, exact: true });
  const checkbox = (name: string): Locator => deft.chat().getByRole('checkbox', { name, exact: true });
  const focused = (control: Locator) =>
    eventually(
      () => control.evaluate((element) => element === element.ownerDocument.activeElement),
      'It does not have the focus.',
    );
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await deft.window.page.keyboard.press(key);
  };

  async function asked(...questions: { question: string }[]): Promise<void> {
    deft.script(asks(...questions), answers('Thank you.'));
    await deft.send('Build it');
    await group(questions[0]?.question ?? '').waitFor();
  }
  async function modelReads(expected: RegExp): Promise<void> {
    await deft.says('Thank you.');
    await deft.idle();
    assert.match(lastText(await deft.request(2)), expected);
    assert.equal(await group(/^Question: /).count(), 0);
  }

  it('is answered by mouse; nothing asks for an approval', async () => {
    await asked(database);
    assert.equal(await deft.approval().count(), 0);
    await deft
      .card('Asking: Which database should the server use?')
      .getByText('waiting')
      .waitFor({ state: 'attached' });
    assert.equal(await deft.button('Answer').isDisabled(), true);
    await radio('SQLite').click();
    await deft.button('Answer').click();
    await modelReads(/"Which database should the server use\?": SQLite$/);
    await deft.card('Asked: Which database should the server use?').getByText('SQLite').first().waitFor();
  });

  it('is answered by keyboard alone, page by page and back', async () => {
    await asked(database, formats);
    await focused(deft.composer());
    await press('ArrowUp');
    await focused(radio('PostgreSQL (Recommended)'));
    await press('ArrowDown');
    assert.equal(await radio('SQLite').isChecked(), true);
    await press('Enter');
    await group(formats.question).getByText('2 of 2').waitFor();
    await focused(checkbox('CSV'));
    await press('Space', 'ArrowDown', 'ArrowDown', 'Space');
    await focused(checkbox('PDF'));
    await group(formats.question).getByRole('button', { name: 'Back' }).focus();
    await press('Enter');
    await focused(radio('SQLite'));
    await press('ArrowUp', 'Enter');
    await focused(checkbox('CSV'));
    assert.deepEqual(
      [await checkbox('CSV').isChecked(), await checkbox('JSON').isChecked(), await checkbox('PDF').isChecked()],
      [true, false, true],
    );
    await press('Enter');
    await modelReads(/: PostgreSQL \(Recommended\)\n.*: CSV, PDF$/);
    await focused(deft.composer());
  });

  it('goes through the focus order of the picture', async () => {
    await asked({ ...database, ...layout });
    await press('ArrowUp');
    await focused(radio('Side bar'));
    await press('Space', 'Tab');
    await focused(deft.chat().getByRole('textbox', { name: 'Other answer' }));
    await press('Tab');
    await focused(deft.chat().getByRole('region', { name: 'Preview of Side bar' }));
    await press('Tab');
    await focused(deft.button('Answer'));
    await press('Tab');
    await focused(deft.button('Dismiss'));
    await press('Tab');
    await focused(deft.composer());
    await press('Shift+Tab', 'Shift+Tab', 'Enter');
    await modelReads(/: Side bar$/);
  });

  it('takes words of the user for "Other"', async () => {
    await asked(database);
    await radio('Other').click();
    await focused(deft.chat().getByRole('textbox', { name: 'Other answer' }));
    assert.equal(await deft.button('Answer').isDisabled(), true);
    await deft.window.page.keyboard.type('The one that is there');
    assert.equal(await radio('Other').isChecked(), true);
    await press('Enter');
    await modelReads(/: The one that is there$/);
  });

  it('lets words be typed on "Other" itself, beside other choices', async () => {
    await asked(formats);
    await press('ArrowUp', 'ArrowDown', 'Space', 'ArrowDown', 'ArrowDown');
    await focused(checkbox('Other'));
    await deft.window.page.keyboard.type('Markdown');
    await press('Enter');
    await modelReads(/: JSON, Markdown$/);
  });

  it('takes a message that is written instead for the answer', async () => {
    await asked(database, formats);
    await deft.send('Neither: keep it in memory.');
    await modelReads(/The user wrote this instead of choosing:\nNeither: keep it in memory\.$/);
    await deft.card('Asked 2 questions').getByText('answered in text').first().waitFor();
  });

  it('lets a message with more than words follow, and answers by it', async () => {
    await asked(database);
    await deft.send('The one that @a.txt names');
    await modelReads(/wrote a message instead of choosing; it follows\..*alpha.*The one that @a\.txt names$/s);
    await deft.says('The one that @a.txt names');
  });

  it('is dismissed by a button and by Escape, which says neither yes nor no', async () => {
    await asked(database);
    await deft.button('Dismiss').click();
    await modelReads(/neither a yes nor a no/);
    await asked(formats);
    // Right after an answer, keys and clicks still count for the card before.
    await deft.button('Dismiss').click({ trial: true });
    await press('ArrowUp', 'Escape');
    await modelReads(/neither a yes nor a no/);
    await deft.card('Asked: Which formats should the export know?').getByText('dismissed').first().waitFor();
  });

  it('goes away with a turn that is stopped', async () => {
    await asked(database);
    await deft.composer().press('Escape');
    await group(database.question).waitFor({ state: 'detached' });
    await deft.card('Asking: Which database should the server use?').getByText('stopped').first().waitFor();
    await deft.idle();
    deft.script(answers('As you like.'));
    await deft.send('Forget it');
    await deft.says('As you like.');
  });

  it('takes no key from what is being typed', async () => {
    deft.script(asks(database), answers('Thank you.'));
    await deft.send('Build it');
    for (const key of 'a long message, typed on while the question comes')
      await deft.window.page.keyboard.type(key, { delay: 20 });
    await group(database.question).waitFor();
    assert.equal(await deft.composer().inputValue(), 'a long message, typed on while the question comes');
    await deft.composer().fill('');
    await deft.button('Dismiss').click();
    await modelReads(/neither/);
  });

  it('is there again when the view was hidden', async () => {
    await asked(layout);
    await deft.window.command('View: Show Explorer');
    await group(layout.question).waitFor({ state: 'detached' });
    await deft.window.command('Deft: Focus Chat');
    await group(layout.question).waitFor();
    await radio('Tabs').click();
    await deft.button('Answer').click();
    await modelReads(/: Tabs$/);
  });

  it('is asked again after a reload of the window, and its reply is paid for once', async () => {
    await asked(database);
    await deft.window.reload();
    await group(database.question).waitFor({ timeout: 60_000 });
    await radio('SQLite').click();
    await deft.button('Answer').click();
    await modelReads(/: SQLite$/);
    assert.equal(deft.requests(), 2);
  });

  it('shows what the option in focus looks like', async () => {
    await asked(layout);
    const preview = group(layout.question).getByRole('region', { name: /^Preview/ });
    await preview.getByText('The option in focus is shown here.').waitFor();
    await radio('Side bar').click();
    await preview.getByText('| list | detail').waitFor();
    const height = (await group(layout.question).boundingBox())?.height;
    await press('ArrowDown');
    await preview.getByText('openTabs').waitFor();
    assert.equal(await preview.getByText('| list | detail').isVisible(), false);
    assert.equal((await group(layout.question).boundingBox())?.height, height, 'nothing moves when the focus does');
    await press('Enter');
    await modelReads(/: Tabs$/);
  });

  it('keeps the list of tasks in a strip, over a reload, until all of it is done', async () => {
    const strip = () => deft.chat().getByRole('region', { name: "Agent's tasks" });
    deft.script(reply(...madeTasks, ...setTasks), answers('Two are done.'));
    await deft.send('Mend the parser');
    await deft.says('Two are done.');
    await deft.idle();
    // The card of a single task begins closed.
    const card = deft.card('Updated task #3');
    await card.waitFor();
    assert.equal(await card.getByRole('list').count(), 0);
    await card.getByRole('button', { name: 'Details of Updated task #3' }).click();
    await card.getByRole('list', { name: 'Tasks' }).getByText('Mending the date parser').waitFor();
    assert.equal(await strip().getByRole('list').count(), 0);
    await strip().getByText('Left at: #3 Mend the date parser').waitFor();
    await strip().getByRole('button', { name: 'Tasks 2/5' }).click();
    assert.equal(await strip().getByRole('list', { name: 'Tasks' }).getByRole('listitem').count(), 5);
    await deft.window.reload();
    await deft.composer().waitFor({ timeout: 60_000 });
    await strip().getByRole('button', { name: 'Tasks 2/5' }).waitFor();
    deft.script(
      reply(...['3', '4', '5'].map((taskId) => toolUse('TaskUpdate', { taskId, status: 'completed' }))),
      answers('All are done.'),
    );
    await deft.send('Go on');
    await deft.says('All are done.');
    await strip().waitFor({ state: 'detached' });
  });

  it('asks before a setting is changed, and changes it', async () => {
    deft.script(
      reply(toolUse('Config', { setting: 'diagnostics.delay' })),
      reply(toolUse('Config', { setting: 'diagnostics.delay', value: 1_500 })),
      reply(toolUse('Config', { setting: 'diagnostics.delay' })),
      answers('It waits longer now.'),
    );
    await deft.send('Wait longer for problems');
    await deft.approval('Approve: Config').getByText('1500').waitFor();
    assert.match(lastText(await deft.request(2)), /^diagnostics\.delay = \d+ \(.*can be set\)/);
    assert.equal(await deft.button(/^Always/).count(), 0);
    await deft.button('Accept').click();
    await deft.says('It waits longer now.');
    assert.match(lastText(await deft.request(4)), /^diagnostics\.delay = 1500 \(user, can be set\)/);
  });

  it('wakes from a long wait when the user writes', async () => {
    deft.script(reply(toolUse('Sleep', { duration_ms: 600_000 })), answers('I am awake.'));
    await deft.send('Wait for the build');
    await deft.card('Waiting 10 min').waitFor();
    await deft.send('It is done already');
    await deft.says('I am awake.');
    assert.match(lastText(await deft.request(2)), /their message follows.*It is done already/s);
  });
});

describe('looks of questions', () => {
  for (const theme of lookedAt(['dark'], ['light', 'high-contrast'])) {
    describe(theme, () => {
      let deft: DeftWindow;
      before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n' }, theme })));
      after(() => deft.close());
      it('is in keeping, narrow and wide', () => looks(deft, theme));
    });
  }
});

async function looks(deft: DeftWindow, theme: Theme): Promise<void> {
  deft.script(
    reply(text('I plan first.'), ...madeTasks, ...setTasks),
    reply(toolUse('Write', { file_path: `${deft.window.folder}/b.txt`, content: 'beta\n' })),
    asks(layout, formats, database),
    answers('Thank you.'),
  );
  await deft.send('Build the page');
  await deft.approval(/^Approve: Write/).waitFor();
  await deft.button('Accept').click();
  await deft
    .chat()
    .getByRole('group', { name: `Question: ${layout.question}` })
    .waitFor();
  await picture(deft, theme, 'unanswered');
  await deft.chat().getByRole('radio', { name: 'Tabs' }).click();
  await picture(deft, theme, 'preview');
  await deft.button('Next').click();
  await deft.chat().getByRole('checkbox', { name: 'JSON' }).click();
  await deft.chat().getByRole('textbox', { name: 'Other answer' }).fill('Markdown with front matter');
  await picture(deft, theme, 'several');
  await deft.button('Dismiss').click();
  await deft.says('Thank you.');
  await deft.idle();
  await picture(deft, theme, 'strip');
  await deft.button('Tasks 2/5').click();
  await picture(deft, theme, 'tasks');
}

/** Pictures at both widths, and what axe finds in each. */
async function picture(deft: DeftWindow, theme: Theme, state: string): Promise<void> {
  for (const [width, pixels] of [
    ['wide', 560],
    ['narrow', 300],
  ] as const) {
    await resizeSideBar(deft.window.page, pixels);
    await deft.window.picture(`questions-${state}-${theme}-${width}`);
    assert.deepEqual(await seriousProblems(deft.chat()), [], `${state}, ${theme}, ${width}`);
    const sideways = await deft
      .chat()
      .locator('.dock')
      .evaluate((dock) => dock.scrollWidth > dock.clientWidth);
    assert.equal(sideways, false, `${state}, ${theme}, ${width}: nothing scrolls sideways`);
  }
}
