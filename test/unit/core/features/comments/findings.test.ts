// What a review finds: reported by a tool that only such sessions have, at lines that stand in the file, without what the user has dismissed.
import assert from 'node:assert/strict';
import { composePrompt } from '../../../../../src/core/prompt/compose-prompt';
import { type ReviewComment } from '../../../../../src/shared/review-comment';
import { type Prompt } from '../../../../../src/core/events/steering-queue';
import { type DismissedFinding, type Finding, followFindings } from '../../../../../src/core/tool/session-findings';
import { toolSearchTool } from '../../../../../src/core/tools/tool-search';
import { safeTool } from '../../../../support/fake-tools';
import { createMemoryFiles } from '../../../../support/memory-files';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness } from '../../../../support/session-harness';

const text = 'let a = 1;\nrun(a);\n\n  run(b);\nrun(a);\n';
const finding = (more: object = {}): object => ({
  path: '/w/src/a.ts',
  line: 2,
  quoted: 'run(a);',
  kind: 'Shell injection',
  problem: 'Whoever names a runs a command.',
  severity: 'high',
  ...more,
});
const reports = (...findings: object[]) => reply(toolUse('Review', { action: 'report', findings }));
const loads = reply(toolUse('ToolSearch', { query: 'select:Review' }));
const harnessOf = (model: ScriptedModel, dismissed?: readonly DismissedFinding[]): Harness =>
  createHarness({
    model,
    tools: [safeTool('Look'), toolSearchTool],
    files: createMemoryFiles({ '/w/src/a.ts': text }),
    session: dismissed === undefined ? {} : { findings: { dismissed: () => dismissed } },
  });
const said = (model: ScriptedModel, index: number): string => JSON.stringify(model.requests[index]?.messages.at(-1));
const foldOf = (harness: Harness): Finding[] => [...followFindings(harness.stored())().values()];
const asked = (comments: readonly ReviewComment[]): Promise<Prompt> =>
  composePrompt(
    { text: '', images: [], comments },
    { files: createMemoryFiles({}), cwd: '/w', folders: [], isHidden: () => false },
  );
const { signal } = new AbortController();

describe('what a review finds', () => {
  it('is told of only where a review begins, and the tool comes with it', async () => {
    const model = createScriptedModel([reply('Hello.'), loads, reports(finding()), reply('One.')]);
    const harness = harnessOf(model, []);
    await harness.run('Hello');
    assert.doesNotMatch(JSON.stringify(model.requests[0]), /Review/);
    await harness.run('/code-review src');
    assert.match(said(model, 1), /report them with the Review tool/);
    assert.match(said(model, 3), /The user sees 1 finding at the lines: f1\./);
    assert.deepEqual(
      foldOf(harness).map(({ id, start, end, quoted, severity }) => [id, start, end, quoted, severity]),
      [['f1', 2, 2, 'run(a);', 'high']],
    );
    assert.equal(harness.approvals.length, 0);
  });

  it('stands at the quoted lines nearest to the line that was named', async () => {
    const model = createScriptedModel([
      loads,
      reports(finding({ line: 5 }), finding({ quoted: 'run(b);' })),
      reply('Two.'),
    ]);
    const harness = harnessOf(model, []);
    await harness.run('/security-review');
    assert.deepEqual(
      foldOf(harness).map(({ id, start, quoted }) => [id, start, quoted]),
      [
        ['f1', 5, 'run(a);'],
        ['f2', 4, '  run(b);'],
      ],
    );
  });

  it('is an error and shows nothing where its lines are not in the file', async () => {
    const wrong = [
      finding(),
      finding({ quoted: 'run(c);' }),
      finding({ path: '/w/none.ts' }),
      finding({ quoted: ' \n' }),
    ];
    const model = createScriptedModel([loads, reports(...wrong), reports(), reply('None.')]);
    const harness = harnessOf(model, []);
    await harness.run('/review');
    const result = said(model, 2);
    assert.match(result, /"is_error":true/);
    assert.match(result, /Nothing is shown yet\. Report all of them again/);
    assert.match(result, /src\/a\.ts:2: these lines are not in the file\./);
    assert.match(result, /none\.ts:2: the file cannot be read\./);
    assert.match(result, /nothing is quoted/);
    assert.match(said(model, 3), /report needs findings/);
    assert.deepEqual(foldOf(harness), []);
  });

  it('is neither shown nor told again where the user has called the same no problem', async () => {
    const dismissed = [{ path: '/w/src/a.ts', kind: 'shell  injection', quoted: 'run(a);' }];
    const model = createScriptedModel([
      loads,
      reports(finding(), finding({ kind: 'Typo' }), finding({ quoted: 'run(b);' })),
      reply('Two.'),
    ]);
    const harness = harnessOf(model, dismissed);
    await harness.run('/code-review');
    assert.match(said(model, 0), /The user has called 1 finding no problem before/);
    assert.match(said(model, 2), /f1, f2\. .*no problem: \/w\/src\/a\.ts:2\. Leave it out of your answer/);
    assert.deepEqual(
      foldOf(harness).map(({ kind }) => kind),
      ['Typo', 'Shell injection'],
    );
  });

  it('is taken up by the comment that asks to fix it, and is one finding however often it is reported', async () => {
    const model = createScriptedModel([
      loads,
      reports(finding()),
      reply('One.'),
      reply('Fixed.'),
      reports(finding()),
      reply('.'),
    ]);
    const harness = harnessOf(model, []);
    await harness.run('/code-review');
    const comment = {
      id: 'c1',
      path: '/w/src/a.ts',
      start: 2,
      end: 2,
      quoted: 'run(a);',
      words: 'Fix this',
      finding: 'f1',
    };
    await harness.session.run(await asked([comment]), signal);
    assert.deepEqual(foldOf(harness), []);
    await harness.run('/code-review');
    assert.deepEqual(
      foldOf(harness).map(({ id }) => id),
      ['f1'],
    );
  });

  it('is words of the agent where the host shows none', async () => {
    const model = createScriptedModel([reply('Nothing.')]);
    await harnessOf(model).run('/code-review');
    assert.doesNotMatch(JSON.stringify(model.requests[0]), /Review/);
  });
});
