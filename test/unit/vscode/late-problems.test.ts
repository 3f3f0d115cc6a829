import assert from 'node:assert/strict';
import { type Diagnostic } from '../../../src/core/ports/diagnostics';
import { createLateProblems, type LateReport } from '../../../src/vscode/diagnostics/late-problems';

describe('problems that come after an edit had its answer', () => {
  let problems: Diagnostic[];
  let reports: LateReport[];
  let time: number;
  let pending: (() => void)[];
  const late = () =>
    createLateProblems({
      current: (paths) => problems.filter(({ path }) => paths.includes(path)),
      onLate: (one) => void reports.push(one),
      now: () => time,
      later: (callback) => {
        pending.push(callback);
        return () => undefined;
      },
    });
  const pass = (): void => pending.splice(0).forEach((callback) => callback());
  const add = (path: string, message: string): void =>
    void problems.push({ path, line: 1, column: 1, severity: 'error', message });

  beforeEach(() => {
    [problems, reports, time, pending] = [[], [], 0, []];
  });

  it('are told of the session that edited the file, once', () => {
    const watched = late();
    watched.watch('a', '/x.ts', []);
    watched.watch('b', '/y.ts', []);
    add('/x.ts', 'broken');
    watched.reported(['/x.ts']);
    watched.reported(['/x.ts']);
    pass();
    assert.deepEqual(
      reports.map(({ session }) => session),
      ['a'],
    );
    assert.match(reports[0]?.text ?? '', /x\.ts:1:1 error: broken$/);
    watched.reported(['/x.ts']);
    pass();
    assert.equal(reports.length, 1);
  });

  it('are told of each session that edited the same file, by what each knows', () => {
    const watched = late();
    watched.watch('a', '/x.ts', []);
    add('/x.ts', 'first');
    watched.watch('b', '/x.ts', [...problems]);
    add('/x.ts', 'second');
    watched.reported(['/x.ts']);
    pass();
    assert.deepEqual(
      reports.map(({ session, text }) => [session, text.includes('first'), text.includes('second')]),
      [
        ['a', true, true],
        ['b', false, true],
      ],
    );
  });

  it("are nobody's a minute later", () => {
    const watched = late();
    watched.watch('a', '/x.ts', []);
    add('/x.ts', 'broken');
    time = 60_001;
    watched.reported(['/x.ts']);
    assert.equal(pending.length, 0);
  });
});
