// The models that VS Code offers, from the first run on: another extension supplies them, and its answers are in the prompt.
import assert from 'node:assert/strict';
import { notification, quickInput, quickPickRow } from '../rig/workbench';
import { openDeft, type DeftWindow } from './support/deft';
import { type PlainServer, startPlainServer } from '../support/plain-server';

const noKey = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined };
const script = (...replies: object[][]): string => `SCRIPT ${JSON.stringify(replies)}`;

describe("VS Code's models", () => {
  let deft: DeftWindow;
  let local: PlainServer;
  before(async () => {
    local = await startPlainServer();
    deft = await openDeft({
      env: noKey,
      extraExtension: 'test/support/tool-extension',
      files: { 'price.js': 'const price = 1;\n' },
    });
  });
  after(async () => {
    await deft.close();
    local.close();
  });

  const title = () => deft.chat().getByRole('heading', { name: 'Connect Deft to a model' });
  const goesOn = (model: string) => deft.card(`This session continues with ${model}.`);

  async function selectProvider(row: string): Promise<void> {
    await deft.window.command('Deft: Select Provider');
    await quickPickRow(deft.window.page, row).click();
  }

  it('are offered where there is no key, and used at once', async () => {
    await title().waitFor();
    await deft.button("Use VS Code's models").press('Enter');
    await title().waitFor({ state: 'detached' });
    await notification(deft.window.page, "VS Code's models answer now").waitFor();
    await deft.button('Model: claude-sonnet-9.1').waitFor();
    await deft.send(script([{ think: 'A greeting.' }, { say: 'Good ' }, { say: 'day.' }]));
    await deft.says('Good day.');
    await deft.idle();
  });

  it('read and edit through the loop', async () => {
    const file = `${deft.window.folder}/price.js`;
    await deft.send(
      script(
        [{ say: 'I look.' }, { call: ['Read', { file_path: file }] }],
        [{ call: ['Edit', { file_path: file, old_string: 'price = 1', new_string: 'price = 2' }] }],
        [{ say: 'It costs two.' }],
      ),
    );
    await deft.approval('Approve: Edit price.js').waitFor();
    await deft.button('Accept').click();
    await deft.says('It costs two.');
    await deft.idle();
    assert.equal(deft.window.read('price.js'), 'const price = 2;\n');
  });

  it('are stopped', async () => {
    await deft.send(script([{ say: 'One moment.' }, { hang: true }]));
    await deft.says('One moment.');
    await deft.button('Stop').click();
    await deft.idle();
    await deft.card('Stopped.').waitFor();
  });

  it('are picked by name', async () => {
    const { page } = deft.window;
    await deft.window.command('Deft: Select Model');
    await quickPickRow(page, 'GPT Test (deft-test, gpt)').click();
    await deft.button('Model: gpt-test').waitFor();
    await deft.send(script([{ name: true }]));
    await deft.says('GPT Test answers.');
    await deft.idle();
  });

  it('give way to a server without a key, in the same session, whose model is typed by hand', async () => {
    const { page } = deft.window;
    await selectProvider('Another address');
    await quickInput(page).fill(local.url);
    await page.keyboard.press('Enter');
    await goesOn('Opus 5.5').waitFor();
    await deft.window.command('Deft: Select Model');
    await quickInput(page).fill('qwen3-coder:30b');
    await quickPickRow(page, 'qwen3-coder:30b').click();
    await deft.button('Model: qwen3-coder:30b').waitFor();
    local.answer = 'A local answer.';
    await deft.send('And who are you?');
    await deft.says('A local answer.');
    await deft.idle();
    const sent = local.requests.find(({ path }) => path.startsWith('/v1/messages'));
    assert.deepEqual(
      [sent?.body['model'], sent?.headers['x-api-key'], sent?.headers['authorization']],
      ['qwen3-coder:30b', undefined, undefined],
    );
  });

  it('come back with another provider setting, and say what the session goes on with', async () => {
    await selectProvider("VS Code's models");
    await goesOn('claude-sonnet-9.1').waitFor();
    await deft.send(script([{ say: 'Here I am again: ' }, { name: true }]));
    await deft.says('Here I am again: Claude Sonnet 9.1 answers.');
    await deft.idle();
  });

  it('are one of the providers that can be chosen, each with what it needs', async () => {
    const { page } = deft.window;
    await deft.window.command('Deft: Select Provider');
    for (const row of ['Anthropic', 'Amazon Bedrock', 'Google Vertex AI', 'Microsoft Foundry', 'Another address'])
      await quickPickRow(page, row).waitFor();
    await page.keyboard.press('Escape');
    await selectProvider('Amazon Bedrock');
    await notification(page, 'Amazon Bedrock answers now. It needs AWS_REGION').waitFor();
    await selectProvider('Microsoft Foundry');
    await notification(page, 'Microsoft Foundry answers now').waitFor();
    await deft.window.command('Deft: Set API Key');
    await quickPickRow(page, 'Microsoft Foundry').click();
    // The list has the same field until the box for the key is open.
    await quickInput(page).and(page.locator('[type="password"]')).waitFor();
    await quickInput(page).fill('a-foundry-key');
    assert.equal(await quickInput(page).getAttribute('type'), 'password');
    await page.keyboard.press('Enter');
    await notification(page, 'Deft: the API key is set.').first().waitFor();
  });
});
