// What the user has rejected or undone is not made again unasked, in whatever words the model tries.
import assert from 'node:assert/strict';
import { RefusedChanges } from '../../../../src/core/tool/refused-changes';
import { fileChanges } from '../../../../src/core/features/file-changes/file-changes-key';
import { type ApprovalDecision } from '../../../../src/core/ports/approver';
import { editTool } from '../../../../src/core/tools/edit/edit';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { readTool } from '../../../../src/core/tools/read/read';
import { type PermissionMode } from '../../../../src/shared/permission';
import { createMemoryFiles } from '../../../support/memory-files';
import { reply, type ScriptedReply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const A = '/w/a.ts';
const text = [
  'export function total(items: Item[]): number {',
  '  let sum = 0;',
  '  for (const item of items) {',
  '    sum += item.price * item.count;',
  '  }',
  '  return sum;',
  '}',
  '',
  'export const empty: Item[] = [];',
  '',
].join('\n');
/** What the user does not want. */
const wanted = text.replace(
  '  return sum;',
  '  const rounded = Math.round(sum * 100) / 100;\n  console.log(rounded);\n  return rounded;',
);
const edit = (old_string: string, new_string: string): ScriptedReply =>
  reply(toolUse('Edit', { file_path: A, old_string, new_string }));
const write = (content: string, file_path = A): ScriptedReply => reply(toolUse('Write', { file_path, content }));
const first = edit(
  '  return sum;',
  '  const rounded = Math.round(sum * 100) / 100;\n  console.log(rounded);\n  return rounded;',
);

/** Each is the same change to whoever reads the diff. */
const otherWords: Record<string, ScriptedReply> = {
  'the same edit': first,
  'with more around it': edit(
    '  }\n  return sum;\n}',
    '  }\n  const rounded = Math.round(sum * 100) / 100;\n  console.log(rounded);\n  return rounded;\n}',
  ),
  'the whole file': write(wanted),
  'the whole file, with something else in it': write(wanted.replace('let sum = 0', 'let sum = 0.0')),
  'in other spaces': edit(
    '  return sum;',
    '    const rounded = Math.round(sum  * 100) / 100;\n\n\tconsole.log(rounded);\n  return rounded;',
  ),
  'without one of its lines': edit(
    '  return sum;',
    '  const rounded = Math.round(sum * 100) / 100;\n  return rounded;',
  ),
};
const others: Record<string, ScriptedReply> = {
  'another place': edit('empty: Item[] = []', 'none: Item[] = []'),
  'the same line, something else': edit('  return sum;', '  return Number(sum.toFixed(2));'),
  'a new file': write('export {};\n', '/w/b.ts'),
};

interface Tried {
  mode?: PermissionMode;
  attempt: ScriptedReply;
  answer?: ApprovalDecision;
}

/** The model edits, the user undoes it, and the model tries. */
async function undoneThen({ mode = 'acceptEdits', attempt, answer }: Tried) {
  const files = createMemoryFiles({ [A]: text });
  const model = createScriptedModel([
    reply(toolUse('Read', { file_path: A })),
    first,
    reply('Done.'),
    attempt,
    reply('Done.'),
    first,
    reply('Done.'),
  ]);
  const harness = createHarness({
    model,
    files,
    tools: [readTool, editTool, writeTool],
    session: { mode },
    answer: async () => answer ?? { behavior: 'deny', interrupt: false },
  });
  await harness.run('Round the total');
  assert.equal(files.text(A), wanted);
  files.put(A, text);
  harness.session.feature(fileChanges)?.acted('undone', [A]);
  await harness.run('Go on');
  const results = JSON.stringify(model.requests.at(-1)?.messages.at(-1));
  return { files, harness, results };
}

describe('changes that the user refused', () => {
  for (const [name, attempt] of Object.entries(otherWords))
    it(`asks about what was undone: ${name}`, async () => {
      for (const mode of ['acceptEdits', 'bypassPermissions', 'auto'] as const) {
        const { files, harness } = await undoneThen({ mode, attempt });
        assert.deepEqual(
          harness.approvals.map(({ reason, suggestions }) => [reason, suggestions]),
          [['It makes a change again that was undone before.', []]],
          mode,
        );
        assert.equal(files.text(A), text);
      }
    });

  for (const [name, attempt] of Object.entries(others))
    it(`does not ask about ${name}`, async () => {
      const { harness, files } = await undoneThen({ attempt });
      assert.deepEqual(harness.approvals, []);
      assert.notEqual((files.text(A) ?? '') + (files.text('/w/b.ts') ?? ''), text);
    });

  it('makes it once the user accepts it, and asks no more', async () => {
    const { files, harness } = await undoneThen({ attempt: first, answer: { behavior: 'allow' } });
    assert.equal(files.text(A), wanted);
    files.put(A, text);
    await harness.run('It was lost; once more');
    assert.deepEqual([files.text(A), harness.approvals.length], [wanted, 1]);
  });

  it('asks about a file that is made again, whatever is in it', async () => {
    const made = '/w/made.ts';
    const files = createMemoryFiles({});
    const harness = createHarness({
      model: createScriptedModel([write('one\n', made), reply('Done.'), write('two\n', made), reply('Done.')]),
      files,
      tools: [readTool, writeTool],
      session: { mode: 'acceptEdits' },
      answer: async () => ({ behavior: 'deny', interrupt: false }),
    });
    await harness.run('Go');
    files.remove(made);
    harness.session.feature(fileChanges)?.acted('undone', [made]);
    await harness.run('Go on');
    assert.deepEqual(
      harness.approvals.map(({ reason }) => reason),
      ['It makes a file again that was undone before.'],
    );
    assert.equal(files.text(made), undefined);
  });

  it('knows what was rejected, and what was left out of what was accepted', async () => {
    const answers: ApprovalDecision[] = [
      { behavior: 'deny', interrupt: false },
      { behavior: 'allow', text: wanted.replace('  console.log(rounded);\n', '') },
      { behavior: 'deny', interrupt: false },
    ];
    const again = edit('  return rounded;', '  console.log(rounded);\n  return rounded;');
    const files = createMemoryFiles({ [A]: text });
    const harness = createHarness({
      model: createScriptedModel([reply(toolUse('Read', { file_path: A })), first, first, again, reply('Done.')]),
      files,
      tools: [readTool, editTool],
      answer: async () => answers.shift() ?? assert.fail('one question too many'),
    });
    await harness.run('Go');
    assert.deepEqual(
      harness.approvals.map(({ reason }) => reason.replace(/^Deft asks.*/, 'the mode')),
      [
        'the mode',
        'It makes a change again that was rejected before.',
        'It makes a change again that was rejected before.',
      ],
    );
    assert.equal(files.text(A), wanted.replace('  console.log(rounded);\n', ''));
  });

  it('takes words with a rejection for what is wanted instead', async () => {
    const files = createMemoryFiles({ [A]: text });
    const harness = createHarness({
      model: createScriptedModel([reply(toolUse('Read', { file_path: A })), first, first, reply('Done.')]),
      files,
      tools: [readTool, editTool],
      answer: async () => ({ behavior: 'deny', message: 'Add a test, too', interrupt: false }),
    });
    await harness.run('Go');
    assert.equal(harness.approvals.length, 2);
    assert.ok(harness.approvals.every(({ reason }) => !reason.includes('again')));
  });
});

describe('RefusedChanges', () => {
  const again = (refused: [string, string], proposed: [string, string]): boolean => {
    const changes = new RefusedChanges();
    changes.refuse({ path: A, before: refused[0], after: refused[1] }, 'undone');
    return changes.repeated({ path: A, before: proposed[0], after: proposed[1] }) !== undefined;
  };

  it('takes a removal for the same, and a rewriting for another change', () => {
    const without = text.replace('  let sum = 0;\n', '');
    assert.equal(again([text, without], [text, without]), true);
    assert.equal(again([text, without], [text, text.replace('let sum = 0', 'let sum = 0n')]), false);
  });

  it('compares brackets and empty lines only exactly', () => {
    assert.equal(again(['a\nb\n', 'a\n\nb\n'], ['a\nb\nc\n', 'a\nb\n\nc\n']), true, 'the same empty line');
    assert.equal(again(['a\nb\n', 'a\n\nb\n'], ['a\nb\n', 'a\n\nword\nb\n']), false);
  });

  it('forgets the oldest files where there are very many', () => {
    const changes = new RefusedChanges();
    for (let file = 0; file < 1_200; file++)
      changes.refuse({ path: `/w/${file}`, before: 'one\n', after: 'other\n' }, 'undone');
    const knows = (file: number): boolean =>
      changes.repeated({ path: `/w/${file}`, before: 'one\n', after: 'other\n' }) !== undefined;
    assert.deepEqual([knows(0), knows(199), knows(200), knows(1_199)], [false, false, true, true]);
  });
});
