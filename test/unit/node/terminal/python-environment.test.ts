// The Python extension's answer as variables; its shape is that of its published API.
import assert from 'node:assert/strict';
import { hasEnvironments, pythonVariables } from '../../../../src/vscode/terminal/python-environment';

const answering = (answer: unknown) => ({
  getActiveEnvironmentPath: (folder: unknown) => ({ path: `of ${String(folder)}` }),
  resolveEnvironment: async () => answer,
});
const executable = { uri: { fsPath: '/w/.venv/bin/python' }, bitness: '64-bit' };

describe('the Python environment', () => {
  it('is activated by its folder and the search path', async () => {
    const environment = { type: 'VirtualEnvironment', name: '.venv', folderUri: { fsPath: '/w/.venv' } };
    const variables = await pythonVariables(answering({ executable, environment }), '/w', '/usr/bin');
    assert.deepEqual(variables, { VIRTUAL_ENV: '/w/.venv', PATH: '/w/.venv/bin:/usr/bin' });
    const conda = await pythonVariables(
      answering({ executable, environment: { ...environment, type: 'Conda' } }),
      '/w',
      '',
    );
    assert.deepEqual(conda, { CONDA_PREFIX: '/w/.venv', PATH: '/w/.venv/bin' });
  });

  it("is nothing where the system's interpreter is chosen, or the answer is another", async () => {
    for (const answer of [
      undefined,
      {},
      { executable },
      { executable, environment: undefined },
      { executable: {}, environment: { type: 'x' } },
      'python',
    ]) {
      assert.deepEqual(await pythonVariables(answering(answer), '/w', '/usr/bin'), {});
    }
  });

  it('is asked of an extension that has this API', () => {
    assert.equal(hasEnvironments({ environments: answering(undefined) }), true);
    for (const exported of [undefined, {}, { environments: {} }, { environments: null }])
      assert.equal(hasEnvironments(exported), false);
  });
});
