// The user's answers for one server of `.vscode/mcp.json` reach no other, and no other entry of its name, without a new question.
import assert from 'node:assert/strict';
import { readMcpConfig } from '../../../../src/core/mcp/read-config';
import { type McpServerEntry } from '../../../../src/core/ports/mcp';
import { answersFor, approveWithAnswers, createInputAnswers } from '../../../../src/vscode/mcp/input-answers';

const file = '/w/.vscode/mcp.json';
const key = 'the-very-key-of-mine';

describe("answers to the inputs of VS Code's file", () => {
  const opened = () => {
    const stored = new Map<string, string>();
    const asked: string[] = [];
    const answers: (string | undefined)[] = [];
    const secrets = {
      get: async (name: string) => stored.get(name),
      store: async (name: string, value: string) => void stored.set(name, value),
    };
    const inputs = createInputAnswers(secrets, async (server, { id }) => {
      asked.push(`${server}: ${id}`);
      return answers.shift();
    });
    const read = async (
      servers: Record<string, { url: string; headers?: Record<string, string> }>,
    ): Promise<McpServerEntry[]> => {
      const text = JSON.stringify({ inputs: [{ id: 'token', type: 'promptString', password: true }], servers });
      const known = await inputs.load(file);
      return readMcpConfig([{ scope: 'editor', name: file, file, text, at: ['servers'] }], {}, (_source, server) =>
        answersFor(known, server),
      ).entries;
    };
    return { stored, asked, answers, inputs, read };
  };
  const withToken = (url: string) => ({ url, headers: { Authorization: 'Bearer ${input:token}' } });

  it('are of one server: another that uses the same input lacks them, and asks', async () => {
    const { asked, answers, inputs, read } = opened();
    const [mine] = await read({ mine: withToken('https://mine.example') });
    answers.push(key);
    assert.equal(await approveWithAnswers(mine ?? assert.fail(), inputs, async () => undefined), true);
    const [known, other] = await read({
      mine: withToken('https://mine.example'),
      other: withToken('https://other.example'),
    });
    assert.match(JSON.stringify(known?.config), new RegExp(key));
    assert.doesNotMatch(JSON.stringify(other?.config), new RegExp(key));
    assert.deepEqual(other?.missing, ['token']);
    await approveWithAnswers(other, inputs, async () => undefined);
    assert.deepEqual(asked, ['mine: token', 'other: token']);
    assert.deepEqual(inputs.secrets(), [key]);
  });

  it('are asked again where another entry of the name is approved, which is not approved without', async () => {
    const { asked, answers, inputs, read } = opened();
    answers.push(key);
    await inputs.ask((await read({ mine: withToken('https://mine.example') }))[0] ?? assert.fail());
    const [changed] = await read({ mine: withToken('https://elsewhere.example') });
    assert.equal(changed?.missing, undefined);
    assert.equal(
      await approveWithAnswers(changed ?? assert.fail(), inputs, async () => assert.fail('it was approved')),
      false,
    );
    assert.deepEqual(asked, ['mine: token', 'mine: token']);
  });

  it('of before, kept by their id alone, go to nobody', async () => {
    const { stored, answers, inputs, read } = opened();
    answers.push('x');
    await inputs.ask((await read({ mine: withToken('https://mine.example') }))[0] ?? assert.fail());
    for (const name of stored.keys()) stored.set(name, JSON.stringify({ token: key }));
    assert.deepEqual((await read({ mine: withToken('https://mine.example') }))[0]?.missing, ['token']);
  });
});
