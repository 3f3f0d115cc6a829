// How permissions, hooks and the sandbox look: pictures of their states in each theme, narrow and wide, and axe-core over every one.
// Also what only a window shows of hooks: a message stopped while they look at it is back in the composer.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../rig/cleanup';
import type { Theme } from '../rig/settings';
import { resizeSideBar } from '../rig/workbench';
import { seriousProblems } from './support/accessibility';
import { eventually, openDeft, sharedApi, type DeftWindow } from './support/deft';
import { answers, runs } from './support/replies';
import { lookedAt } from './support/window';

/** One that adds a message, one that blocks, and one that takes until its file is gone. */
const hooks = {
  PreToolUse: [
    {
      matcher: 'Bash',
      hooks: [
        {
          type: 'command',
          command:
            'grep -q "git push" && { echo "Pushes to the main branch go through the release job; open a pull request instead." >&2; exit 2; }; exit 0',
        },
      ],
    },
    {
      matcher: 'Bash',
      hooks: [
        { type: 'command', command: 'echo \'{"systemMessage": "The style guide asks for quotes around paths."}\'' },
      ],
    },
  ],
  UserPromptSubmit: [
    {
      hooks: [
        {
          type: 'command',
          command: 'cat >/dev/null; while [ -e hold ]; do sleep 0.05; done',
          statusMessage: 'Checking the message for secrets',
        },
      ],
    },
  ],
};
// The first command runs in the sandbox. Where there is none, it is allowed by its rule.
const permissions = { allow: ['Bash(node -p 6\\*7)'], ask: ['Bash(npm publish:*)'] };
const settings = JSON.stringify({ hooks, sandbox: { enabled: true }, permissions });
const project = JSON.stringify({
  permissions: { allow: ['Bash(make release:*)'], additionalDirectories: ['../shared'] },
});

describe('looks of permissions', () => {
  const configuration = temporaryFolder('configuration');
  before(() => writeFileSync(path.join(configuration, 'settings.json'), settings));

  for (const theme of lookedAt(['high-contrast'], ['light', 'dark'])) {
    describe(theme, () => {
      let deft: DeftWindow;
      before(async () => {
        const env = {
          CLAUDE_CONFIG_DIR: configuration,
          ANTHROPIC_BASE_URL: (await sharedApi()).url,
          ANTHROPIC_API_KEY: 'test-key',
        };
        deft = await openDeft({ files: { 'a.txt': 'alpha\n', '.claude/settings.json': project }, theme, env });
      });
      after(() => deft.close());

      it('is in keeping, narrow and wide', () => looks(deft, theme));
    });
  }
});

async function looks(deft: DeftWindow, theme: Theme): Promise<void> {
  deft.script(runs('node -p 6*7'), runs('git push origin main'), runs('npm publish --dry-run'), answers('Published.'));
  await deft.newSession();
  await deft.card("This project's settings would allow more.").waitFor();
  await picture(deft, theme, 'grants');
  await deft.button('Mode: Manual').click();
  await deft.chat().getByRole('menuitemradio').first().waitFor();
  await picture(deft, theme, 'modes');
  await deft.window.page.keyboard.press('Escape');

  deft.window.write('hold', '');
  await deft.send('Publish it');
  await deft.chat().getByText('Checking the message for secrets').first().waitFor();
  await picture(deft, theme, 'hook-runs');
  await deft.button('Stop').click();
  await eventually(
    async () => (await deft.composer().inputValue()) === 'Publish it',
    'The message is not back in the composer.',
  );
  await deft.idle();
  assert.equal(deft.requests(), 0, 'nothing was sent');
  await picture(deft, theme, 'hook-stopped');
  rmSync(path.join(deft.window.folder, 'hold'));

  await deft.composer().press('Enter');
  const approval = deft.approval(/^Approve: Bash npm publish/);
  await approval.waitFor();
  await deft
    .card(/^Ran node/)
    .getByRole('button')
    .first()
    .click();
  await picture(deft, theme, 'hooks-and-sandbox');
  await approval.getByRole('button', { name: 'Why does Deft ask?' }).click();
  await approval.getByRole('list', { name: 'Steps of the decision' }).waitFor();
  await picture(deft, theme, 'trace');
  await approval.getByRole('button', { name: /^Reject/ }).click();
  await deft.idle();
}

/** Pictures at both widths, and what axe finds in each. */
async function picture(deft: DeftWindow, theme: Theme, state: string): Promise<void> {
  for (const [width, pixels] of [
    ['wide', 560],
    ['narrow', 300],
  ] as const) {
    await resizeSideBar(deft.window.page, pixels);
    await deft.window.picture(`permissions-${state}-${theme}-${width}`);
    assert.deepEqual(await seriousProblems(deft.chat()), [], `${state}, ${theme}, ${width}`);
    const sideways = await deft
      .chat()
      .locator('body')
      .evaluate((body) => body.scrollWidth > body.clientWidth);
    assert.equal(sideways, false, `${state}, ${theme}, ${width}: nothing scrolls sideways`);
  }
}
