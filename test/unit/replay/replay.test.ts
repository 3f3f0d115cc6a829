// The replay suite: its core costs no more than it did, two runs give the same bytes, and growth is told with its cause.
import assert from 'node:assert/strict';
import { matchFile } from '../../golden/snapshot';
import { filesOf, readRepository } from '../../replay/archive';
import { edit, read, symbol, type Task } from '../../replay/intents';
import { causeOf, figuresOf, partsOf, type Figures } from '../../replay/measure';
import { expectedFiles } from '../../replay/play-task';
import { callOf, trackingCalls } from '../../replay/player';
import { documentFile, replayDocument } from '../../replay/report';
import { coreTasks, growth, keptFigures, play, tasks } from '../../replay/suite';

/** Bytes of system prompt and tools that a model reads first. */
const maxPrefix = 20_000;

describe('replayed tasks', function () {
  this.timeout(600_000);

  it('the core needs no more bytes than the kept figures say, and as many on each run', async () => {
    const played = await play(coreTasks);
    const now = figuresOf(played);
    const told = growth(keptFigures().core, now);
    assert.equal(told, undefined, told);
    assert.ok(
      now.prefix > 5_000 && now.prefix <= maxPrefix,
      `the prefix of an ordinary headless session: ${now.prefix}`,
    );
    const [first] = played;
    const [again] = await play(coreTasks.slice(0, 1));
    // Of reads side by side, the one that ends first has the sentence that is said once: all else is the same, and the sizes are.
    const once = / *(\\n)*<system-reminder>What Read shows of files is data[^<]*<\/system-reminder>/g;
    const texts = (requests: readonly unknown[] = []) => requests.map((body) => JSON.stringify(body));
    const sizes = (bodies: readonly string[]) => bodies.map(({ length }) => length);
    const without = (bodies: readonly string[]) => bodies.map((body) => body.replace(once, '').replaceAll('\\n"', '"'));
    const [one, other] = [texts(first?.requests), texts(again?.requests)];
    assert.deepEqual(sizes(other), sizes(one));
    assert.deepEqual(without(other), without(one));
    for (const { requests } of played)
      for (const body of requests) {
        const bytes = [...partsOf(body).values()].reduce((sum, part) => sum + part, 0);
        assert.equal(bytes, Buffer.byteLength(JSON.stringify(body)), 'the parts are the whole');
        assert.ok([...partsOf(body).values()].every((part) => part >= 0));
      }
  });

  it('are at least forty, in repositories of several languages, and every edit fits its file', () => {
    assert.ok(tasks.length >= 40 && coreTasks.length === 18, `${tasks.length} tasks`);
    assert.equal(new Set(tasks.map(({ name }) => name)).size, tasks.length);
    for (const task of tasks) {
      const files = readRepository(task.repository);
      assert.ok(Object.keys(files).length >= 6, task.repository);
      expectedFiles(task, files);
    }
  });

  it('docs/replay.md has the kept figures', () => {
    const { all } = keptFigures();
    assert.deepEqual(
      Object.keys(all.tasks),
      tasks.map(({ name }) => name),
      'run: npm run replay -- --accept',
    );
    matchFile(documentFile, replayDocument(all));
  });
});

describe('the replay suite itself', () => {
  const figures = (sent: Record<string, number>): Figures => ({
    prefix: 0,
    requests: 1,
    bytes: Object.values(sent).reduce((sum, bytes) => sum + bytes, 0),
    sent,
    tools: {},
    failures: {},
    tasks: {},
  });

  it('tells growth of more than 2 % with what caused it', () => {
    const before = figures({ 'results of Edit': 500, 'results of Read': 500 });
    assert.equal(growth(before, figures({ 'results of Edit': 520, 'results of Read': 500 })), undefined);
    assert.equal(growth(before, figures({ 'results of Edit': 100, 'results of Read': 900 })), undefined);
    const told = growth(before, figures({ 'results of Edit': 560, 'results of Read': 495, 'results of LSP': 5 }));
    assert.match(told ?? '', /have 6\.0 % more bytes .*1000 before, 1060 now/);
    assert.match(told ?? '', /Most of it: results of Edit \+6\.0 %, results of LSP \+0\.5 %\./);
  });

  it('refuses a script whose edit does not fit', () => {
    const task = (...steps: Task['steps']): Task => ({ name: 't', repository: 'r', prompt: '', steps, answer: '' });
    assert.deepEqual(expectedFiles(task([edit('a', 'x', '$& y')]), { a: 'x' }), { a: '$& y' });
    assert.throws(() => expectedFiles(task([edit('a', 'x', 'y')]), { a: 'xx' }), /finds 2 places/);
    assert.throws(() => expectedFiles(task([edit('b', 'x', 'y')]), { a: 'x' }), /finds -1 places|finds 0 places/);
  });

  it('asks by the tools and parameters that there are', () => {
    const offer = new Map([
      ['Read', new Set(['path'])],
      ['Grep', new Set(['pattern', 'output_mode'])],
    ]);
    const [reading] = read('a.ts');
    assert.deepEqual(callOf(reading ?? assert.fail(), offer, '/w'), { name: 'Read', input: { path: '/w/a.ts' } });
    assert.equal(callOf(symbol('a'), offer, '/w').name, 'Grep');
    const withServers = new Map([...offer, ['LSP', new Set(['operation', 'query'])]]);
    assert.equal(callOf(symbol('a'), withServers, '/w').name, 'LSP');
    assert.throws(() => callOf(edit('a', 'b', 'c'), offer, '/w'), /offers no Edit/);
  });

  it('keeps a list with the tools that there are', () => {
    const list = (done: number) => ({ kind: 'track', subjects: ['Look', 'Mend'], done }) as const;
    const todos = new Map([['TodoWrite', new Set(['todos'])]]);
    assert.deepEqual(
      trackingCalls(list(1), list(0), todos).map(({ input }) => JSON.stringify(input['todos'])),
      [
        '[{"content":"Look","status":"completed","activeForm":"Look …"},{"content":"Mend","status":"in_progress","activeForm":"Mend …"}]',
      ],
    );
    const single = new Map([
      ['TaskCreate', new Set(['subject', 'description', 'activeForm'])],
      ['TaskUpdate', new Set(['taskId', 'status'])],
    ]);
    const names = (...calls: { name: string; input: Record<string, unknown> }[]): string[] =>
      calls.map(({ name, input }) => [name, input['taskId'] ?? input['subject'], input['status']].join(' ').trim());
    assert.deepEqual(names(...trackingCalls(list(0), undefined, single)), [
      'TaskCreate Look',
      'TaskCreate Mend',
      'TaskUpdate 1 in_progress',
    ]);
    assert.deepEqual(names(...trackingCalls(list(1), list(0), single)), [
      'TaskUpdate 1 completed',
      'TaskUpdate 2 in_progress',
    ]);
    assert.deepEqual(names(...trackingCalls(list(2), list(1), single)), ['TaskUpdate 2 completed']);
  });

  it('reads archives and names causes without what differs', () => {
    assert.deepEqual(filesOf('-- a/b.txt --\none\n-- c --\n'), { 'a/b.txt': 'one\n', c: '' });
    assert.equal(
      causeOf('<tool_use_error>/w/a.ts has not been read yet. Read it.</tool_use_error>'),
      '… has not been read yet',
    );
    assert.equal(causeOf('Exit code 101\nerror'), 'Exit code N');
  });
});
