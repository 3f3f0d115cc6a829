// REPL beyond its table: what it shows, when it is offered, and that it asks.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { decide } from '../../../../src/core/permissions/decide';
import { type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { type Repl } from '../../../../src/core/ports/repl';
import { availabilityOf } from '../../../../src/core/tool/availability';
import { replTool, type ReplInput } from '../../../../src/core/tools/repl';
import { isFailure, type ToolContext } from '../../../../src/core/tool/tool';
import { createNodeRepl } from '../../../../src/node/repl/node-repl';
import { unusedPorts } from '../../../support/unused-ports';
import { said } from '../../../../src/core/text/words';

describe('REPL', () => {
  let repl: Repl;
  before(() => (repl = createNodeRepl({ environment: async () => process.env })));
  after(() => repl.dispose());

  async function use(input: ReplInput, ports: { repl?: Repl } = { repl }) {
    const context = {
      toolUseId: 't',
      signal: new AbortController().signal,
      session: { id: 's', cwd: tmpdir() },
      ports: unusedPorts(ports),
      onProgress: () => undefined,
    } as unknown as ToolContext;
    const done = await replTool.call(replTool.inputSchema.parse(input), context);
    if (isFailure(done)) return { code: done.failure.code, text: said(done.failure.message) };
    const data = replTool.outputSchema?.parse(done.data) ?? done.data;
    const block = replTool.mapToolResultToToolResultBlockParam(data, 't');
    return {
      code: block.is_error === true ? 'error' : 'ok',
      text: String(block.content),
      view: replTool.view(data, input),
      detail: replTool.detail(data),
    };
  }

  it('tells what earlier calls did late beside the result, and not as its failure', async () => {
    await use({ language: 'javascript', code: 'setTimeout(() => { globalThis.gone = true; null.x }, 5); 0' });
    const done = await use({
      language: 'javascript',
      code: 'while (!globalThis.gone) await new Promise((next) => setTimeout(next, 5)); 7',
    });
    assert.equal(done.code, 'ok');
    assert.match(done.text, /^7\nFrom earlier calls, after they had ended:\nUncaught TypeError: Cannot read/);
    assert.match(
      JSON.stringify(done.view),
      /7\\n```\\n\\nFrom earlier calls, after they had ended:\\n\\n```\\nUncaught TypeError/,
    );
  });

  it('shows code, output and value, whatever fences they hold', async () => {
    const { view } = await use({ language: 'javascript', code: 'console.log("````"); 5' });
    assert.deepEqual(view, {
      kind: 'markdown',
      text: '`````javascript\nconsole.log("````"); 5\n`````\n\n`````\n````\n`````\n\n```\n5\n```',
    });
  });

  it('says so where there is no interpreter', async () => {
    const bare = createNodeRepl({ environment: async () => ({ PATH: '/nowhere' }) });
    const done = await use({ language: 'python', code: '1' }, { repl: bare });
    assert.deepEqual(
      [done.code, /^Python could not be started: .*ENOENT.* Run the code with Bash\.$/.test(done.text)],
      ['not-started', true],
    );
    await bare.dispose();
  });

  it('gives code 30 seconds, and never more than ten minutes', async () => {
    const given: number[] = [];
    const evaluate: Repl['evaluate'] = async ({ timeoutMs }) => {
      given.push(timeoutMs);
      return { state: 'finished', output: '', value: '', late: '', fresh: false, durationMs: 0 };
    };
    for (const timeout of [undefined, 5, 700_000])
      await use({ language: 'python', code: '1', timeout }, { repl: { ...repl, evaluate } });
    assert.deepEqual(given, [30_000, 5, 600_000]);
  });

  it('is offered only where it is named and possible', () => {
    const offered = (ports: object, named: string[]) =>
      replTool.isEnabled(
        availabilityOf(ports, { interactive: true, platform: 'linux', names: (tool) => named.includes(tool) }),
      );
    assert.deepEqual(
      [offered({ repl }, []), offered({}, ['REPL']), offered({ repl }, ['Bash']), offered({ repl }, ['REPL'])],
      [false, false, false, true],
    );
  });

  it('asks like Bash', () => {
    const call = {
      tool: 'REPL',
      access: replTool.access,
      readOnly: replTool.isReadOnly({ language: 'python', code: '1' }),
      targets: [],
    };
    const context: PermissionContext = {
      mode: 'default',
      rules: [],
      folders: ['/w'],
      ownFolders: [],
      cwd: '/w',
      home: '/h',
      ignoreCase: false,
      trusted: true,
    };
    assert.equal(decide(call, context).behavior, 'ask');
    assert.equal(decide(call, { ...context, mode: 'acceptEdits' }).behavior, 'ask');
    assert.equal(decide(call, { ...context, mode: 'plan' }).behavior, 'deny');
    assert.equal(decide(call, { ...context, trusted: false }).behavior, 'deny');
  });
});
